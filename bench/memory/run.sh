#!/usr/bin/env bash
# Peak memory of a run with two workers, for slides of growing size: it must follow the window and the tile, not the slide.
# Usage: bench/memory/run.sh [SIDE...]     (default: 8000 20000 60000; the last takes tens of minutes on two cores)
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

machine
printf '%-8s %10s %10s %12s %10s\n' side tiles nuclei "peak MiB" seconds
[ $# -gt 0 ] && sides=("$@") || sides=(8000 20000 60000)
for side in "${sides[@]}"; do
  summary=$("$starpath" segment "synthetic:${side}x${side},seed=1" --cpus 2 --policy pats --overwrite --json --out "$work/out")
  printf '%-8s %10s %10s %12.0f %10.1f\n' "$side" "$(summary_value "$summary" tiles)" "$(summary_value "$summary" nuclei)" \
    "$(summary_value "$summary" peak_memory_mib)" "$(summary_value "$summary" seconds)"
done
