#!/usr/bin/env bash
# How much faster two workers are than one, on a slide of 16 tiles: both in turn, medians and ratios pair by pair.
# Usage: bench/scaling/run.sh [REPETITIONS] [SLIDE] [TILE]
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
repetitions=${1:-5} slide=${2:-synthetic:8192x8192,seed=1} tile=${3:-2048}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { # WORKERS
  summary_value "$("$starpath" segment "$slide" --tile "$tile" --cpus "$1" --policy "${STARPU_SCHED:-pats}" --export none \
    --overwrite --json --out "$work/out")" seconds
}

machine
echo "slide: $slide in tiles of $tile, policy ${STARPU_SCHED:-pats}"
printf '%-4s %12s %12s %8s\n' run "1 worker s" "2 workers s" ratio
for i in $(seq "$repetitions"); do
  one=$(seconds 1) two=$(seconds 2)
  ratio=$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.3f", a / b }')
  printf '%-4s %12.2f %12.2f %8s\n' "$i" "$one" "$two" "$ratio"
  echo "$one" >> "$work/one"; echo "$two" >> "$work/two"; echo "$ratio" >> "$work/ratio"
done
printf '%-4s %12.2f %12.2f %8.3f\n' med "$(median < "$work/one")" "$(median < "$work/two")" "$(median < "$work/ratio")"
