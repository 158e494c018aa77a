#!/usr/bin/env bash
# The policies on StarPU's recorded machine "mirage" in simulation: the tables of bench/results/policies.md, as Markdown.
# Usage: simulated.sh [BUILD]   (a build of the preset simgrid; default build/simgrid)
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
build=${1:-$root/build/simgrid}
programs=$build/tests/sched_policies/live
policies=(fcfs ddfcfs ddwrr pats padas pams odds)
[[ -x $programs/errors_app ]] || { echo "no programs in $programs: run scripts/build.sh --preset simgrid" >&2; exit 1; }
prefix=$("$root/scripts/setup.sh" simgrid --print-prefix)
export STARPU_HOSTNAME=mirage STARPU_PERF_MODEL_DIR=$prefix/share/starpu/perfmodels/sampling STARPU_SILENT=1
export STARPU_SCHED_LIB=$build/sched_policies/libstarpath_sched.so STARPATH_ESTIMATOR=perfmodel

# run PROGRAM ARGUMENT...: what the program prints; fails when it did not pass.
run() {
  local output
  output=$("$programs/$1" "${@:2}" 2>/dev/null)
  grep -q "^PASS $1.*policy=$STARPU_SCHED" <<<"$output" || { echo "$* under $STARPU_SCHED did not pass" >&2; exit 1; }
  printf '%s\n' "$output"
}

# who_ran_what CODELETS: a row a policy, the tasks of each kind on CPU cores / class one / class two.
who_ran_what() {
  local policy
  printf '\n| policy | best on one | best on two | good on both | good nowhere | seconds |\n|---|---|---|---|---|---|\n'
  for policy in "${policies[@]}"; do
    STARPU_SCHED=$policy STARPATH_CLASSES=one=0,1:two=2 run three_classes "$1" 0 1 | awk -v policy="$policy" '
      / cpu .* one .* two / { row = row " | " $3 " / " $5 " / " $7 }
      /^simulated/ { printf "| `%s`%s | %.3f |\n", policy, row, $3 }'
  done
}

# transfers STEPS OPTION...: MiB and seconds under fcfs and pats
transfers() {
  local policy steps=$1
  shift
  printf '| %s ' "${*:-neither}"
  for policy in fcfs pats; do
    env STARPU_SCHED="$policy" "$@" "$programs/transfers_app" "$steps" 2>/dev/null |
      awk '/^moved/ { printf "| %d MiB, %.3f s ", $2, $5 }'
  done
  printf '|\n'
}

# errors SHAPE: the mean seconds over five draws of the errors, a row a policy
errors() {
  local policy percent seed
  printf '\n| policy | exact | 25 %% | 50 %% | 75 %% | 99 %% |\n|---|---|---|---|---|---|\n'
  for policy in fcfs pats pams dmda; do
    printf "| \`%s\` " "$policy"
    for percent in 0 25 50 75 99; do
      for seed in 1 2 3 4 5; do STARPU_SCHED=$policy run errors_app "$1" "$percent" "$seed"; done |
        awk '/^simulated/ { sum += $2; n++ } END { printf "| %.2f ", sum / n }'
    done
    printf '|\n'
  done
}

printf '## Who ran what\n\nOne codelet:\n'
who_ran_what one_codelet
printf '\nFour codelets, one a kind:\n'
who_ran_what four_codelets
printf '\n## Locality and prefetching\n'
for steps in 1 4; do
  printf '\nSteps a tile: %s\n\n| | `fcfs` | `pats` |\n|---|---|---|\n' "$steps"
  transfers "$steps"
  transfers "$steps" STARPATH_LOCALITY=on
  transfers "$steps" STARPATH_PREFETCH=2
  transfers "$steps" STARPATH_PREFETCH=adaptive
  transfers "$steps" STARPATH_LOCALITY=on STARPATH_PREFETCH=2
done
printf '\n## Errors in the estimates\n\nAll operations at once:\n'
errors bag
printf '\nThe operations of a tile one after another:\n'
errors chains
