#!/bin/sh
# Scheduling cost per empty task of every policy beside StarPU's eager and dmda, in turns within one run.
# Usage: compare.sh TASK_COST PLUGIN REPEATS POLICY...
# Prints the median microseconds a task and its ratio to eager.
set -eu
program=$1
plugin=$2
repeats=$3
shift 3
export STARPU_SILENT=1 STARPU_SCHED_LIB="$plugin"
for workers in 1 2; do
  lines=
  for _ in $(seq "$repeats"); do
    for policy in eager dmda "$@"; do
      lines="$lines$(STARPU_NCPU=$workers STARPU_SCHED=$policy "$program")
"
    done
  done
  printf '%s' "$lines" | sort -k1,1 -k3,3n | awk -v workers="$workers" '
    { count[$1]++; cost[$1, count[$1]] = $3 }
    END {
      for (name in count) median[name] = cost[name, int((count[name] + 1) / 2)]
      for (name in median)
        printf "%-8s workers %d  %.3f us/task  %.2f x eager\n", name, workers, median[name], median[name] / median["eager"]
    }' | sort
done
