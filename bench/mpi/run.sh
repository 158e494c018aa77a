#!/usr/bin/env bash
# What two ranks of one worker are worth beside one rank of two workers, on one machine: both in turn, medians and ratios
# pair by pair. Throughput from the first tile to the last, without merging and exports.
# Usage: bench/mpi/run.sh [REPETITIONS] [SLIDE] [TILE]
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
repetitions=${1:-5} slide=${2:-synthetic:8192x8192,seed=1} tile=${3:-1024}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

seconds() { # COMMAND...
  summary_value "$("$@" segment "$slide" --tile "$tile" --export none --overwrite --json --out "$work/out")" seconds
}

machine
echo "slide: $slide in tiles of $tile, policy ${STARPU_SCHED:-pats}"
printf '%-4s %14s %14s %10s\n' run "1 rank x 2 s" "2 ranks x 1 s" throughput
for i in $(seq "$repetitions"); do
  one=$(seconds "$starpath") two=$(seconds on_ranks 2 "$starpath")
  ratio=$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.3f", a / b }')
  printf '%-4s %14.2f %14.2f %10s\n' "$i" "$one" "$two" "$ratio"
  echo "$one" >> "$work/one"; echo "$two" >> "$work/two"; echo "$ratio" >> "$work/ratio"
done
printf '%-4s %14.2f %14.2f %10.3f\n' med "$(median < "$work/one")" "$(median < "$work/two")" "$(median < "$work/ratio")"
