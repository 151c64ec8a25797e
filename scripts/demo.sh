#!/usr/bin/env bash
# The main job, small: trains the miniature GPT on this machine and judges what it logged. demo.sh BUILD_DIR
set -uo pipefail
cd "$(dirname "$0")/.."
out="out/demo-$(date -u +%Y%m%d-%H%M%S)"
echo "\$ $1/accept run --suite smoke --out $out" >&2
"$1/accept" run --suite smoke --out "$out"
status=$?
[ "$status" -eq 0 ] || echo "demo: exit code $status" >&2
exit "$status"
