#!/usr/bin/env bash
# The figures of tests/bench/README.md: run_all.sh BUILD_DIR. Needs a folder of result logs in ACCEPT_CORPUS_MLPERF.
set -euo pipefail
cd "$(dirname "$0")/../.."
corpus=${ACCEPT_CORPUS_MLPERF:-../shared/data/mlperf-v3.0}
[ -d "$corpus" ] || { echo "bench: no result logs in '$corpus'; set ACCEPT_CORPUS_MLPERF" >&2; exit 3; }
tests/bench/run_parse_bench.sh "$1/tests/bench/parse_bench" "$corpus" 11
