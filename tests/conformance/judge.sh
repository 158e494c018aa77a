# shellcheck shell=bash
# One program under one policy: the run and what it showed.
# shellcheck disable=SC2154 # folder, results, flavour, limit, plugin, prefix, policies: run.sh

machine_environment() {
  case $flavour in
    native) printf '%s\n' STARPU_NCPU=2 "STARPU_NCUDA=${STARPU_NCUDA:-0}" ;;
    opencl)
      printf '%s\n' STARPU_NCPU=1 STARPU_NOPENCL=1 STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 POCL_DEVICES=pthread \
        "STARPU_OPENCL_PROGRAM_DIR=$folder/src"
      ;;
    simgrid)
      printf '%s\n' STARPU_HOSTNAME=mirage "STARPU_PERF_MODEL_DIR=$prefix/share/starpu/perfmodels/sampling" \
        "STARPATH_ESTIMATOR=${STARPATH_ESTIMATOR:-perfmodel}"
      ;;
  esac
}

# listed_policies: what the plug-in offers, as StarPU's help prints it to any user.
listed_policies() {
  local environment
  mapfile -t environment < <(machine_environment)
  (cd "$results/scratch" && env STARPU_HOME="$results/home" "${environment[@]}" STARPU_SCHED_LIB="$plugin" \
    STARPU_SCHED=help timeout "$limit" "$prefix/bin/starpu_machine_display" >"$results/help.log" 2>&1 </dev/null) || true
  sed -n '/^(dynamically available policies)/,$ s/^\([a-z0-9_-]*\)[[:space:]]*-> .*/\1/p' "$results/help.log"
}

# program_arguments PROGRAM: in simulation a problem that keeps the whole machine busy, with the block sizes that
# StarPU's recordings know; elsewhere the program's own small one.
program_arguments() {
  [[ $flavour == simgrid ]] || return 0
  case $1 in
    cholesky/* | lu/*) printf '%s\n' -size 19200 -nblocks 20 ;;
    mult/*) printf '%s\n' -xy 9600 -nblocks 10 ;;
  esac
}

# is_ours POLICY: not one of StarPU's own, which have no statistics of ours.
is_ours() { [[ $1 != eager && $1 != dmda ]]; }

# result_files POLICY PROGRAM: the stem of a run's files.
result_files() { printf '%s\n' "$results/$1/${2//\//.}"; }

# run_program POLICY PROGRAM: leaves STEM.log, STEM.status, STEM.shutdown (StarPU's own count of the tasks each worker
# ran, written when it shuts down) and, from the plug-in, STEM.stats.
run_program() {
  local stem status=0 environment arguments
  stem=$(result_files "$1" "$2")
  mapfile -t arguments < <(program_arguments "$2")
  mkdir -p "$(dirname "$stem")"
  [[ -x $(program_file "$2") ]] || return 0
  mapfile -t environment < <(machine_environment)
  ! is_ours "$1" || environment+=("STARPU_SCHED_LIB=$plugin" "STARPATH_STATS=$stem.stats")
  (cd "$results/scratch" && exec env STARPATH_PROFILE=none STARPU_HOME="$results/home" OPENBLAS_NUM_THREADS=1 STARPU_WORKER_STATS=1 \
    STARPU_WORKER_STATS_FILE="$stem.shutdown" "${environment[@]}" STARPU_SCHED="$1" \
    timeout -k 5 "$limit" "$(program_file "$2")" "${arguments[@]}" >"$stem.log" 2>&1 </dev/null) || status=$?
  printf '%s\n' "$status" >"$stem.status"
}

# counted_tasks STEM: what StarPU counted; ran_tasks STEM: what the policy's statistics list.
counted_tasks() { awk '/task\(s\)/ { sum += $1 } END { print sum + 0 }' "$1.shutdown"; }
ran_tasks() { grep -o '"tasks": [0-9]*' "$1.stats" | awk '{ sum += $2 } END { print sum + 0 }'; }

# in_use STEM POLICY: the policy's statistics name it.
in_use() { [[ -e $1.stats ]] && tr -d '\n ' <"$1.stats" | grep -q "\"policies\":\[[^]]*\"$2\""; }

deadlocked() { grep -qiE 'deadlock detected|deadlock or code not perfectly clean' "$1.log"; }

# trouble STEM: prints what kept the run from its end; fails when nothing did.
trouble() {
  local status
  status=$(<"$1.status")
  case $status in
    0) ;;
    77) echo "skips itself"; return ;;
    124 | 137) echo "not finished after $limit s"; return ;;
    *) echo "exit status $status"; return ;;
  esac
  if deadlocked "$1"; then
    echo "deadlock, with exit status 0"
  elif [[ ! -e $1.shutdown ]]; then
    echo "exit status 0, but StarPU was not shut down"
  else
    return 1
  fi
}

# past_the_policy PROGRAM: why its tasks are none of the policy's; fails for any other program.
past_the_policy() {
  case $1 in
    main/job) echo "StarPU bound its tasks to one worker each, so they go past every policy" ;;
    sched_ctx/dummy_sched_with_ctx | dummy_sched_with_ctx) echo "its context has a policy of its own" ;;
    sched_ctx/nested_sched_ctxs | nested_sched_ctxs) echo "its contexts ask for dmda" ;;
    *) return 1 ;;
  esac
}

# schedule_decides PROGRAM: StarPU adds tasks for each part of a reduction, and the schedule decides how many parts there are.
schedule_decides() { [[ $1 =~ (^|/)(increment_redux|cg$|dot_product|minmax_reduction) ]]; }

# judge POLICY PROGRAM: prints POLICY, PROGRAM, verdict, tasks under the policy, reason, separated by tabs.
judge() {
  local policy=$1 program=$2 reference stem reason
  reference=$(result_files eager "$program")
  stem=$(result_files "$policy" "$program")
  if [[ ! -e $reference.status ]]; then
    verdict skipped 0 "cannot be built here ($folder/make.log)"
  elif reason=$(trouble "$reference"); then
    verdict skipped 0 "under eager too: $reason"
  else
    run_program "$policy" "$program"
    judge_run
  fi
}

# judge_run: the part of judge after the run; uses its variables.
judge_run() {
  if reason=$(trouble "$stem"); then
    verdict failed 0 "$reason"
  elif grep -q "scheduling policy '.*' was not found" "$stem.log"; then
    verdict failed 0 "StarPU did not find the policy"
  elif is_ours "$policy" && ! in_use "$stem" "$policy"; then
    verdict failed 0 "the policy was never in use"
  elif ! schedule_decides "$program" && (($(counted_tasks "$stem") != $(counted_tasks "$reference"))); then
    verdict failed 0 "$(counted_tasks "$stem") tasks, under eager $(counted_tasks "$reference")"
  elif (($(counted_tasks "$stem") == 0)); then
    verdict skipped 0 "runs no task on a worker"
  elif ! is_ours "$policy"; then
    verdict passed "$(counted_tasks "$stem")" ''
  elif (($(ran_tasks "$stem") == 0)); then
    if reason=$(past_the_policy "$program"); then
      verdict skipped 0 "$reason"
    else
      verdict failed 0 "StarPU ran $(counted_tasks "$stem") tasks, none of them under the policy"
    fi
  else
    verdict passed "$(ran_tasks "$stem")" ''
  fi
}

verdict() { printf '%s\t%s\t%s\t%s\t%s\n' "$policy" "$program" "$@"; }

# report_verdicts: the table, what was skipped and why, the failures; fails when there is one or nothing passed.
report_verdicts() {
  local verdicts=$results/verdicts
  printf '\n%s programs, flavour %s\n' "${#programs[@]}" "$flavour"
  awk -F'\t' '{ n[$1, $3]++; tasks[$1] += $4; if (!seen[$1]++) order[++k] = $1 }
    END { printf "%-12s %8s %8s %8s %10s\n", "policy", "passed", "failed", "skipped", "tasks"
      for (i = 1; i <= k; i++) { p = order[i]
        printf "%-12s %8d %8d %8d %10d\n", p, n[p, "passed"], n[p, "failed"], n[p, "skipped"], tasks[p] } }' "$verdicts"
  awk -F'\t' '$3 == "skipped" && !seen[$2 FS $5]++ { printf "skipped: %s: %s\n", $2, $5 }' "$verdicts"
  local policy program outcome reason
  while IFS=$'\t' read -r policy program outcome _ reason; do
    [[ $outcome == failed ]] || continue
    printf 'failed: %s under %s: %s\n  log: %s.log\n' "$program" "$policy" "$reason" "$(result_files "$policy" "$program")"
  done <"$verdicts"
  ! grep -q $'\tfailed\t' "$verdicts" || return 1
  for policy in "${policies[@]}"; do
    grep -q "^$policy"$'\t.*\tpassed\t' "$verdicts" || { printf 'no program passed under %s\n' "$policy"; return 1; }
  done
}
