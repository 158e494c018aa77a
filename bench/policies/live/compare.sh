#!/bin/sh
# Scheduling cost per empty task of every policy beside StarPU's eager and dmda, in turns within one run.
# Usage: compare.sh TASK_COST PLUGIN REPEATS POLICY...
# Prints the median microseconds a task, and the median over the turns of its ratio to eager in the same turn: a machine
# that other work slows down slows the two down alike.
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
  printf '%s' "$lines" | awk '
    $1 == "eager" { eager = $3 }
    { print $1, "cost", $3; print $1, "ratio", $3 / eager }' | sort -k1,2 -k3,3n | awk -v workers="$workers" '
    { key = $1 " " $2; value[key, ++count[key]] = $3; names[$1] }
    function median(key) { return value[key, int((count[key] + 1) / 2)] }
    END {
      for (name in names)
        printf "%-8s workers %d  %.3f us/task  %.2f x eager\n", name, workers, median(name " cost"), median(name " ratio")
    }' | sort
done
