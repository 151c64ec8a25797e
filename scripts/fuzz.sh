#!/usr/bin/env bash
# libFuzzer with ASan and UBSan over each target for N inputs: fuzz.sh N. New findings land in build-fuzz/.
set -euo pipefail
cd "$(dirname "$0")/.."
cmake --preset fuzz >/dev/null
cmake --build build-fuzz -j "$(nproc)" --target fuzz_targets
for target in build-fuzz/tests/fuzz/fuzz_*; do
  [ -x "$target" ] && [ -f "$target" ] || continue
  name=$(basename "$target")
  work=build-fuzz/work_$name; mkdir -p "$work"
  echo "fuzz: $name, $1 inputs"
  "$target" -runs="$1" -max_len=65536 -timeout=10 -rss_limit_mb=1024 -artifact_prefix="build-fuzz/" -verbosity=0 \
    "$work" "tests/fuzz/corpus_${name#fuzz_}"
done
