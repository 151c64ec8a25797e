#!/bin/bash
# run_parse_bench.sh PARSE_BENCH CORPUS [REPETITIONS]
# Lines per second of the log parser, and its time beside that of grep over the same files, alternating.
# CORPUS holds result_*.txt or result_*.txt.gz at any depth (folders named "variants" are left out).
set -euo pipefail

if [ $# -lt 2 ]; then
  echo "usage: $0 PARSE_BENCH CORPUS [REPETITIONS]" >&2
  exit 2
fi
program=$(realpath "$1")
corpus=$(realpath "$2")
repetitions=${3:-11}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
plain=$work/logs
mkdir "$plain"

number=0
while IFS= read -r -d '' log; do
  number=$((number + 1))
  case $log in
    *.gz) gzip -dc "$log" > "$plain/$number.txt" ;;
    *) cat "$log" > "$plain/$number.txt" ;;
  esac
done < <(find "$corpus" -name variants -prune -o -type f \( -name 'result_*.txt' -o -name 'result_*.txt.gz' \) -print0)
echo "$number logs, $(cat "$plain"/* | wc -c) bytes, $(nproc) CPUs, load $(cut -d' ' -f1 /proc/loadavg)"

search() { LC_ALL=C grep -c ':::MLLOG' "$plain"/*.txt | cat > /dev/null; }
parse() { "$program" "$plain" 1; }

search
parse > /dev/null  # both warm
TIMEFORMAT='%R %U %S'
printf '%4s %10s %12s %12s %12s %12s %10s\n' run lines/s parse_wall_s parse_cpu_s grep_wall_s grep_cpu_s cpu_ratio
for run in $(seq "$repetitions"); do
  parse_time=$( { time parse > "$work/pass.out"; } 2>&1)
  read -r _ _ _ _ million < "$work/pass.out"
  grep_time=$( { time search; } 2>&1)
  awk -v run="$run" -v million="$million" -v p="$parse_time" -v g="$grep_time" 'BEGIN {
    split(p, a, " "); split(g, b, " "); parse = a[2] + a[3]; grep = b[2] + b[3];
    printf "%4d %10.0f %12.3f %12.3f %12.3f %12.3f %10.2f\n", run, million * 1e6, a[1], parse, b[1], grep, parse / grep }'
done | tee "$work/table.out"
median() { sort -n | awk '{ v[NR] = $1 } END { print v[int((NR + 1) / 2)] }'; }
echo "median: $(awk '{print $2}' "$work/table.out" | median) lines/s," \
  "CPU ratio to grep $(awk '{print $7}' "$work/table.out" | median)," \
  "wall ratio $(awk '{print $3 / $5}' "$work/table.out" | median)"
