#!/usr/bin/env bash
# clang-tidy 19 over all sources, or those changed since REV: tidy.sh BUILD_DIR [REV]. Headers count with their sources.
# TIDY_PATHS narrows it to folders (CI reads harness; tests are compiled with -Werror there and read by `make tidy`).
set -euo pipefail
cd "$(dirname "$0")/.."
build=$1 base=${2:-}
paths=()
for folder in ${TIDY_PATHS:-harness tests}; do
  paths+=("$folder/*.cpp")
done
if [ -n "$base" ] && ! git diff --quiet "$base" -- .clang-tidy; then
  base=""
fi
if [ -z "$base" ]; then
  changed=$(git ls-files "${paths[@]}")
else
  changed=$(git diff --name-only --diff-filter=d "$base" -- "${paths[@]}")
fi
[ -n "$changed" ] || { echo "tidy: nothing changed"; exit 0; }
# Only what the build knows: fuzz targets are compiled by another preset.
known=$(python3 -c 'import json,os,sys; print("\n".join(os.path.relpath(e["file"]) for e in json.load(open(sys.argv[1]+"/compile_commands.json"))))' "$build" | sort -u)
files=$(comm -12 <(sort -u <<<"$changed") <(echo "$known"))
[ -n "$files" ] || { echo "tidy: nothing to read"; exit 0; }
echo "tidy: $(wc -l <<<"$files") files"
xargs -P "$(nproc)" -n 1 clang-tidy-19 -p "$build" --quiet --extra-arg=-Wno-unknown-warning-option <<<"$files" 2>/dev/null
