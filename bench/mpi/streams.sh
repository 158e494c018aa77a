#!/usr/bin/env bash
# NBIA on two ranks of one worker: fields handed out beside streams of pixels, in turn, medians; and what the ranks send
# each other. Seconds from the first field to the last, without merging and exports.
# Usage: bench/mpi/streams.sh [REPETITIONS] [READERS] [SLIDE]
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
repetitions=${1:-5} readers=${2:-2} slide=${3:-synthetic:8192x8192,pattern=stroma,seed=1}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

run() { # OPTION...
  on_ranks 2 "$starpath" nbia run "$slide" --export none --overwrite --json --out "$work/out" \
    "$@" 2> /dev/null
}

machine
echo "slide: $slide, readers: $readers, policy ${STARPU_SCHED:-pats}"
for levels in "--levels 512" "--recalc-rate 0.2"; do
  for i in $(seq "$repetitions"); do
    for streams in none ddfcfs ddwrr odds; do
      options=()
      [ "$streams" = none ] || options=(--streams "$streams" --readers "$readers")
      # shellcheck disable=SC2086
      summary=$(run $levels "${options[@]}")
      summary_value "$summary" seconds >> "$work/$streams"
      for key in control_messages control_bytes buffers buffer_bytes; do
        summary_value "$summary" "$key" > "$work/$streams.$key"
      done
    done
  done
  printf '\n%-18s %8s %10s %12s %8s %14s %10s\n' "$levels" "median s" control "bytes" buffers "bytes" "control %"
  for streams in none ddfcfs ddwrr odds; do
    control=$(cat "$work/$streams.control_bytes") buffers=$(cat "$work/$streams.buffer_bytes")
    printf '%-18s %8.2f %10s %12s %8s %14s %10s\n' "$streams" "$(median < "$work/$streams")" \
      "$(cat "$work/$streams.control_messages")" "$control" "$(cat "$work/$streams.buffers")" "$buffers" \
      "$(awk -v c="$control" -v b="$buffers" 'BEGIN { if (b == 0) print "-"; else printf "%.3f", 100 * c / (c + b) }')"
    rm "$work/$streams"
  done
done
