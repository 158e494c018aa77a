#!/bin/sh
# Scheduling cost per empty task of every policy beside StarPU's eager and dmda, in turns within one run: one worker, two,
# and two of two device classes, so that every task is estimated and learnt from.
# Usage: compare.sh TASK_COST PLUGIN TURNS POLICY...    TASKS=N in the environment: how many at a time (65536)
# Prints medians over the turns, in microseconds a task: the wait from submission to end, and the processor time to queue
# and to run a task (see task_cost.c). In brackets is the median of the ratio to eager in the same turn. Other work on
# the machine slows both down alike.
set -eu
program=$1
plugin=$2
turns=$3
shift 3
export STARPU_SILENT=1 STARPU_SCHED_LIB="$plugin" STARPATH_PROFILE=none

measure() { # POLICY...: one line a policy and turn
  for _ in $(seq "$turns"); do
    for policy in eager dmda "$@"; do
      STARPU_SCHED=$policy "$program" "${TASKS:-65536}"
    done
  done
}

medians() {
  awk '
    $1 == "eager" { wait = $3; processor = $4 + $5 }
    { print $1, "wait", $3; print $1, "wait_ratio", $3 / wait
      print $1, "queue", $4; print $1, "run", $5; print $1, "processor_ratio", ($4 + $5) / processor }' |
    sort -k1,2 -k3,3g | awk '
    { key = $1 " " $2; value[key, ++count[key]] = $3; names[$1] }
    function median(key) { return value[key, int((count[key] + 1) / 2)] }
    END {
      for (name in names)
        printf "%-8s wait %6.2f (%.2f)   processor %.3f + %.3f (%.2f)\n", name, median(name " wait"),
          median(name " wait_ratio"), median(name " queue"), median(name " run"), median(name " processor_ratio")
    }' | sort
}

for workers in 1 2; do
  echo "workers: $workers"
  STARPU_NCPU=$workers measure "$@" | medians
done
echo "workers: 2, of two classes"
STARPU_NCPU=2 STARPATH_CLASSES=first=0:second@accelerator=1 measure "$@" | medians
