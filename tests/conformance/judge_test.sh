#!/usr/bin/env bash
# shellcheck disable=SC2016 # the made-up programs expand their variables themselves
# The judge on made-up programs: one that runs well, and each way to fail that exit status 0 can hide.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/programs.sh"
source "$here/judge.sh"

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck disable=SC2034 # the judge reads them
folder=$scratch results=$scratch/results flavour=native limit=60 plugin=$scratch/plugin.so prefix=$scratch programs=() policies=(good)
mkdir -p "$results/scratch" "$scratch/build/tests/main"

# program NAME: a made-up program; its text comes from standard input, after two helpers it may call.
program() {
  {
    printf '%s\n' '#!/usr/bin/env bash' \
      'shutdown_after() { printf "CPU 0\n\t%s task(s)\n" "$1" >"$STARPU_WORKER_STATS_FILE"; }' \
      'policy_ran() { [[ -z ${STARPATH_STATS:-} ]] || printf "{\n \"policies\": [\n  \"%s\"\n ],\n \"ran\": [\n  {\"tasks\": %s}\n ]\n}\n" "$1" "$2" >"$STARPATH_STATS"; }'
    cat
  } >"$scratch/build/tests/main/$1"
  chmod +x "$scratch/build/tests/main/$1"
}

# expect NAME VERDICT REASON [SECONDS]: what the judge says, after so many seconds at most. Only what must run into the
# limit is given a short one: on a busy machine even an empty program takes its time.
expect() {
  local got
  run_program eager "main/$1"
  got=$(limit=${4:-$limit} judge good "main/$1")
  [[ $got == "good"$'\t'"main/$1"$'\t'"$2"$'\t'*$'\t'"$3" ]] || { echo "$1: expected $2 ($3), got: $got"; exit 1; }
  printf '%s\n' "$got" >>"$results/verdicts"
}

program runs <<<'shutdown_after 3; policy_ran good 3'
expect runs passed ''
program exits <<<'shutdown_after 3; policy_ran good 3; [[ $STARPU_SCHED == eager ]]'
expect exits failed 'exit status 1'
program fails_anyway <<<'exit 5'
expect fails_anyway skipped 'under eager too: exit status 5'
program skips <<<'exit 77'
expect skips skipped 'under eager too: skips itself'
program skips_here <<<'shutdown_after 3; [[ $STARPU_SCHED == eager ]] || exit 77'
expect skips_here failed 'skips itself'
program hangs <<<'[[ $STARPU_SCHED == eager ]] || sleep 60; shutdown_after 3'
expect hangs failed 'not finished after 1 s' 1
program deadlocks <<<'shutdown_after 3; [[ $STARPU_SCHED == eager ]] || echo "[ker_engine/CRITICAL] Oops! Deadlock detected, some activities" >&2'
expect deadlocks failed 'deadlock, with exit status 0'
program stops_early <<<'[[ $STARPU_SCHED != eager ]] || shutdown_after 3'
expect stops_early failed 'exit status 0, but StarPU was not shut down'
program falls_back <<<"shutdown_after 3; echo \"Warning: scheduling policy 'good' was not found\""
expect falls_back failed 'StarPU did not find the policy'
program ignores_the_policy <<<'shutdown_after 3'
expect ignores_the_policy failed 'the policy was never in use'
program uses_another <<<'shutdown_after 3; policy_ran better 3'
expect uses_another failed 'the policy was never in use'
program loses_a_task <<<'if [[ $STARPU_SCHED == eager ]]; then shutdown_after 3; else shutdown_after 2; policy_ran good 2; fi'
expect loses_a_task failed '2 tasks, under eager 3'
program increment_redux <<<'if [[ $STARPU_SCHED == eager ]]; then shutdown_after 3; else shutdown_after 5; policy_ran good 3; fi'
expect increment_redux passed ''
program past_it <<<'shutdown_after 3; policy_ran good 0'
expect past_it failed 'StarPU ran 3 tasks, none of them under the policy'
program idle <<<'shutdown_after 0; policy_ran good 0'
expect idle skipped 'runs no task on a worker'
expect not_built skipped "cannot be built here ($scratch/make.log)"

# The report fails when something failed, when nothing passed, and only then.
! report_verdicts >"$results/report" || { echo "a failure was reported as success"; exit 1; }
grep -q '^good  *2 *10 *4 *6$' "$results/report" || { echo "wrong counts:"; cat "$results/report"; exit 1; }
grep -q "^failed: main/hangs under good: not finished after 1 s" "$results/report" || { echo "a failure is not listed"; exit 1; }
grep -q "^  log: $results/good/main.hangs.log" "$results/report" || { echo "a log is not named"; exit 1; }
sed -i '/\tfailed\t/d' "$results/verdicts"
report_verdicts >"$results/report" || { echo "success was reported as a failure"; exit 1; }
sed -i '/\tpassed\t/d' "$results/verdicts"
! report_verdicts >"$results/report" || { echo "nothing passed, and that was reported as success"; exit 1; }
