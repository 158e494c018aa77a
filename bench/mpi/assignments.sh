#!/usr/bin/env bash
# How many tiles a manager hands out a second: alone, and to real ranks over MPI whose tiles take no time. A rank that waits
# for an answer holds nothing: its window over the time of an answer is what one rank can ask for.
# Usage: bench/mpi/assignments.sh [REPETITIONS]
set -euo pipefail
. "$(dirname "$0")/../lib.sh"
machine
"$root/build/native/bench/mpi/bench_mpi" --benchmark_counters_tabular 2>/dev/null
for i in $(seq "${1:-3}"); do
  for ranks in 2 3 5; do
    for window in 3 24 100; do
      on_ranks "$ranks" "$root/build/native/bench/mpi/ranks/bench_mpi_ranks" 20000 "$window"
    done
  done
done
