#!/usr/bin/env bash
# Checks and measures the GPU code on this machine, whatever happens: scripts/gpu-bundle.sh packs what it needs.
# shellcheck disable=SC2317 # steps are called by their names
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)

# In order of value, as time on a GPU is scarce. One row a step: name | seconds it may take | what it does
steps=(
  "device|60|which device this is, and whether a task runs on it"
  "kernels|180|every kernel against the reference, many sizes and seeds"
  "segmentation|120|the segmentation on GPUs and cores, byte for byte as on cores alone"
  "nbia|120|the classification of stroma, likewise"
  "operations|180|time of each operation, its bytes a second beside those of a copy; NBIA on tiles of 32 to 4096 pixels"
  "programs|240|StarPU's own programs: makespan under each policy; scheduling cost of an empty task"
  "compare|400|starpath compare: who ran what, bytes moved, makespans under all policies, as a page"
  "estimates|120|apex: the times it expected of tasks beside those measured"
  "policies|500|both pipelines under every policy, byte for byte"
  "loops|300|each loop on GPUs alone and beside cores, bit for bit as the serial one"
  "memcheck|300|kernels on small images under compute-sanitizer: memcheck"
  "racecheck|300|the same: racecheck"
)

usage() {
  cat <<TEXT
usage: gpu-check.sh [--out FOLDER] [--minutes N] [--step-seconds N] [--steps "NAME..."] [--size PIXELS] [--policies "NAME..."]
                    [--build FOLDER [--pocl]]

Runs the steps below in this order. Each has its own time limit, and its results are written when it ends; a step that fails
or takes too long does not keep the next from running. After each step report.json, report.html and report.md in FOLDER
(default: gpu-check) hold all there is so far; the logs lie beside them.
  --minutes N      a step gets no more than what is left of N minutes
  --step-seconds N no step gets more than N seconds
  --build FOLDER   use the programs of a build of this tree, not those packed beside this script
  --pocl           the build is of the flavour opencl: OpenCL devices on cores take the place of GPUs, in small
Exit status: 0 nothing failed; 1 something failed, differs or took too long; 3 there is no device.
Steps and their most seconds:
TEXT
  printf '%s\n' "${steps[@]}" | awk -F'|' '{printf "  %-13s %4d  %s\n", $1, $2, $3}'
}

die() { printf 'gpu-check: %s\n' "$*" >&2; exit 2; }
say() { printf 'gpu-check: %s\n' "$*" >&2; }

out=gpu-check size='' minutes='' most='' wanted='' build='' pocl='' inside=''
policies='pats pams odds apex dmda dmdas heteroprio lws eager'
loops='increment blackscholes histogram boxfilter nbody heat2d strmatch heart knn eclat'
arguments=("$@")
while (($#)); do
  case $1 in
    --out) out=${2:?--out needs a folder}; shift ;;
    --size) size=${2:?--size needs a number}; shift ;;
    --minutes) minutes=${2:?--minutes needs a number}; shift ;;
    --step-seconds) most=${2:?--step-seconds needs a number}; shift ;;
    --steps) wanted=${2:?--steps needs names}; shift ;;
    --policies) policies=${2:?--policies needs names}; shift ;;
    --build) build=$(cd "${2:?--build needs a folder}" && pwd) || exit 2; shift ;;
    --pocl) pocl=yes ;;
    --inside) inside=${2:?}; shift ;; # how this script starts a step
    -h | --help) usage; exit ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done
[[ -z $minutes || $minutes =~ ^[1-9][0-9]*$ ]] || die "--minutes $minutes is not a number of minutes"
[[ -z $most || $most =~ ^[1-9][0-9]*$ ]] || die "--step-seconds $most is not a number of seconds"
known=" $(printf '%s\n' "${steps[@]}" | cut -d'|' -f1 | tr '\n' ' ')"
for name in $wanted; do [[ $known == *" $name "* ]] || die "unknown step: $name"; done

# Programs, devices and sizes: a GPU, or cores that stand in for one.
kernels=gpu_tests kind=cuda side=4096 tile=1024 few=''
if [[ $build ]]; then
  starpath=$build/apps/starpath tests=$build/tests/cuda/gpu_tests bench=$build/bench/gpu/gpu_bench
else
  starpath=$here/bin/starpath tests=$here/bin/gpu_tests bench=$here/bin/gpu_bench
fi
if [[ $pocl ]]; then
  tests=$build/tests/cuda/simt_tests kernels=simt_tests kind=opencl side=1024 tile=300 few='Cuda.Background*:Cuda.*Opening*'
  export STARPU_OPENCL_ON_CPUS=1 STARPU_OPENCL_ONLY_ON_CPUS=1 POCL_DEVICES=${POCL_DEVICES:-pthread}
fi
size=${size:-$side}
[[ -x $starpath && (-x $tests || $pocl) ]] ||
  die "$starpath or $tests is missing: run this in a folder that scripts/gpu-bundle.sh packed, or name a build (--build)"
mkdir -p "$out/steps" || exit 2
out=$(cd "$out" && pwd)
export PATH=$PATH:/usr/local/cuda/bin STARPU_SILENT=1 STARPU_HOME=$out/starpu
mkdir -p "$STARPU_HOME"

# --- What a step may say. Rows appear in the report as they are written, even if the step is ended later.

# quoted TEXT: as JSON; a number stays one.
quoted() {
  if [[ $1 =~ ^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?[0-9]+)?$ ]]; then
    printf '%s' "$1"
  else
    printf '"%s"' "$(printf '%s' "$1" | tr -d '\000-\010\013-\037' | sed 's/\\/\\\\/g; s/"/\\"/g; s/\t/ /g' | paste -sd' ')"
  fi
}
# row NAME VALUE...: one line of the step's table.
row() {
  local text='' separator=''
  while (($#)); do
    text+="$separator$(quoted "$1x" | sed 's/x"$/"/'): $(quoted "$2")" separator=', '
    shift 2
  done
  printf '{%s}\n' "$text" >>"$out/steps/$inside.rows"
}
failures=0
failed() { failures=1; say "FAILED: $*"; row 'what failed' "$*"; }

# --- The steps

step_device() {
  local code
  if [[ $pocl ]]; then
    "$starpath" loop increment --n 1000 --cpus 0 --gpus 1 >"$out/device.log" 2>&1
  else
    "$tests" --gtest_filter=Cuda.FeaturesOfNoObject >"$out/device.log" 2>&1
  fi
  code=$?
  cat "$out/device.log" >&2
  ((code != 77)) || { say 'there is no CUDA device on this machine'; exit 77; }
  ((code == 0)) || { failed "the programs do not run on this machine"; return; }
  local name
  name=$(sed -n 's/^device: //p' "$out/device.log")
  [[ ! $pocl ]] || name="OpenCL devices on cores ($POCL_DEVICES)"
  row device "$name" processor "$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)" cores "$(nproc)" \
    driver "$(nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | head -n 1)"
}

# shared_out NAME COMMAND...: runs a program of tests as up to eight processes at a time, each with its share of the
# tests; their output is NAME.log.
shared_out() {
  local name=$1 count i code=0 children=()
  shift
  count=$(nproc)
  ((count < 8)) || count=8
  for ((i = 0; i < count; ++i)); do
    GTEST_TOTAL_SHARDS=$count GTEST_SHARD_INDEX=$i "$@" >"$out/$name-$i.log" 2>&1 &
    children+=($!)
  done
  for i in "${children[@]}"; do wait "$i" || code=1; done
  cat "$out/$name"-[0-9].log >"$out/$name.log"
  rm -f "$out/$name"-[0-9].log
  return "$code"
}
step_kernels() {
  [[ -x $tests ]] || { row 'left out' "$kernels is not built"; return; }
  shared_out kernels "$tests" ${few:+"--gtest_filter=$few"} --gtest_brief=1 || failed "kernels differ from the reference: kernels.log"
  row tests "$(awk '/^\[==========\] .* ran/ { tests += $2 } END { print tests + 0 }' "$out/kernels.log")" \
    failed "$(grep -c '^\[  FAILED  \]' "$out/kernels.log")" program "$kernels"
}

command_of() {
  if [[ $1 == nbia ]]; then
    echo "nbia run synthetic:${size}x${size},pattern=stroma,seed=3"
  else
    echo "segment synthetic:${size}x${size},seed=3 --tile $tile"
  fi
}
files_of() {
  if [[ $1 == nbia ]]; then echo fields.csv regions.geojson map.png; else echo nuclei.csv nuclei.geojson; fi
}
# run NAME PIPELINE OPTION...: into $out/NAME.
run() {
  local name=$1 pipeline=$2
  shift 2
  rm -rf "${out:?}/$name"
  # shellcheck disable=SC2046 # several words
  timeout --kill-after=5 90 "$starpath" $(command_of "$pipeline") "$@" --out "$out/$name" --json >"$out/$name.json" 2>"$out/$name.log"
}
seconds_of() { tail -n 1 "$out/$1.json" 2>/dev/null | sed -n 's/"shares":.*//; s/.*"seconds":\([0-9.e+-]*\).*/\1/p'; }
on_cores() { [[ -e $out/$1-cores/.whole ]] || { run "$1-cores" "$1" --policy eager --gpus 0 && : >"$out/$1-cores/.whole"; }; }
# same_on_gpus PIPELINE POLICY: a run that learns, then one that is compared.
same_on_gpus() {
  local pipeline=$1 policy=$2 name=$1-$2 same=yes code file
  on_cores "$pipeline" || { failed "$pipeline on cores alone: $pipeline-cores.log"; return; }
  export STARPATH_PROFILE=$out/profile.sqlite
  run "$name" "$pipeline" --policy "$policy" && run "$name" "$pipeline" --policy "$policy"
  code=$?
  unset STARPATH_PROFILE
  for file in $(files_of "$pipeline"); do cmp -s "$out/$pipeline-cores/$file" "$out/$name/$file" || same="no: $file differs"; done
  # grep reads to the end: with -q it could leave first, and tail's broken pipe would count as the pipeline's failure.
  tail -n 1 "$out/$name.json" | grep "\"$kind\":{.*\"tasks\"" >/dev/null || same='no: no task ran on a GPU'
  ((code == 0)) || same="no: exit status $code"
  row pipeline "$pipeline" policy "$policy" seconds "$(seconds_of "$name")" 'seconds on cores' "$(seconds_of "$pipeline-cores")" \
    'same bytes' "$same"
  [[ $same == yes ]] || failed "$pipeline under $policy: $same ($name.log)"
}
step_segmentation() { same_on_gpus segmentation pats; }
step_nbia() { same_on_gpus nbia pats; }
step_policies() {
  local policy
  for policy in $policies; do
    same_on_gpus segmentation "$policy"
    same_on_gpus nbia "$policy"
  done
}

step_operations() {
  [[ -x $bench ]] || { row 'left out' 'gpu_bench is not built'; return; }
  "$bench" --json "$out/operations.json" >"$out/operations.md" 2>"$out/operations.log" || failed "operations: operations.md, operations.log"
  local _ name cpu gpu transfer speedup rate share same
  while IFS='|' read -r _ name cpu gpu transfer speedup rate share same _; do
    [[ $name == *---* || $name == *operation* || -z $same ]] || row operation "${name// /}" 'CPU core ms' "${cpu// /}" 'GPU ms' \
      "${gpu// /}" 'transfer ms' "${transfer// /}" speedup "${speedup// /}" 'GB/s' "${rate// /}" 'of a copy' "${share# }" 'same bytes' "${same// /}"
  done < <(sed '/^NBIA by tile size/,$d' "$out/operations.md" | grep '^|')
}

# makespan PROGRAM ARGUMENT...: milliseconds, from the table that StarPU's own programs print.
makespan() {
  timeout --kill-after=5 40 "$@" 2>>"$out/programs.log" |
    awk -F'\t' '/^#/ { for (i = 1; i <= NF; ++i) if ($i == "ms") column = i } !/^#/ && column { print $column; exit }'
}
# best_makespan POLICY PROGRAM ARGUMENT...: of two runs.
best_makespan() {
  local policy=$1
  shift
  for _ in 1 2; do STARPU_SCHED=$policy makespan "$@"; done | sort -g | head -n 1
}
# StarPU's models are learnt first; then each policy in turn. apex has the estimates that it takes by itself.
step_programs() {
  local folder=$here/bin entry program blocks size policy took cells
  [[ ! $build && -x $folder/cholesky_implicit ]] || { row 'left out' "StarPU's own programs are not packed"; return; }
  export STARPU_SCHED_LIB=$here/sched_policies/libstarpath_sched.so OPENBLAS_NUM_THREADS=1
  for entry in 'cholesky_implicit 32' 'lu_implicit_example_float 16' 'cholesky_tag 24'; do
    read -r program blocks <<<"$entry"
    size=$((480 * blocks)) cells=()
    for _ in 1 2; do
      STARPU_CALIBRATE=1 STARPU_SCHED=dmda makespan "$folder/$program" -size "$size" -nblocks "$blocks" >/dev/null
    done
    for policy in dmdas heteroprio lws apex; do
      took=$(best_makespan "$policy" "$folder/$program" -size "$size" -nblocks "$blocks")
      [[ $took ]] || failed "$program of $blocks blocks under $policy: programs.log"
      cells+=("$policy ms" "${took:-none}")
    done
    row program "$program" blocks "$blocks" "${cells[@]}"
  done
  for policy in eager dmda apex; do
    took=$(STARPU_SCHED=$policy STARPU_NCUDA=0 STARPU_NCPU=8 timeout 20 "$folder/task_cost" 16384 3 2>>"$out/programs.log") ||
      failed "task_cost under $policy: programs.log"
    row program 'task_cost, 8 cores' 'policy, workers, us a task to wait, queue, run' "$took"
  done
}

step_compare() {
  # shellcheck disable=SC2046 # several words
  "$starpath" compare segment "synthetic:${size}x${size},seed=3" --policy "${policies// /,}" --repeat 2 --html "$out/compare.html" -- \
    --tile "$tile" >"$out/compare.txt" 2>"$out/compare.log" || failed "compare: compare.log"
  local policy makespan least most bound moved rest
  while read -r policy makespan least most bound moved rest; do
    row policy "$policy" 'makespan s' "$makespan" min "$least" max "$most" 'over the bound' "$bound" 'moved MB' "$moved" idle "$rest"
  done < <(sed -n '/^policy .*makespan/,/^$/p' "$out/compare.txt" | sed 1d | grep .)
}

step_estimates() {
  export STARPATH_PROFILE=$out/estimates.sqlite
  run estimates segmentation --policy apex || failed "segmentation under apex: estimates.log"
  export STARPATH_TRACE=$out/apex.trace.json
  run estimates segmentation --policy apex || failed "segmentation under apex: estimates.log"
  # Of each codelet and class: tasks with an estimate, and the median of |measured / expected - 1|.
  awk -F'"' '
    function worker_of(line) { sub(/.*"tid":/, "", line); sub(/[^0-9].*/, "", line); return line }
    /"thread_name"/ { split($(NF - 1), words, " "); class_of[worker_of($0)] = words[2] }
    /"expected_us":/ {
      class = class_of[worker_of($0)]
      took = $0; sub(/.*"dur":/, "", took); sub(/[^0-9.e+-].*/, "", took)
      expected = $0; sub(/.*"expected_us":/, "", expected); sub(/[^0-9.e+-].*/, "", expected)
      took += 0; expected += 0 # numbers, not texts
      if (expected > 0) print $4 "\t" class "\t" (took > expected ? took / expected : expected / took) - 1 "\t" expected "\t" took }' \
    "$out/apex.trace.json" 2>/dev/null | sort -t"$(printf '\t')" -k1,1 -k2,2 -k3,3g |
    awk -F'\t' 'function tell() { if (n) print key "\t" n "\t" error[int((n + 1) / 2)] "\t" expected / n "\t" took / n }
      { if ($1 "\t" $2 != key) { tell(); key = $1 "\t" $2; n = expected = took = 0 } error[++n] = $3; expected += $4; took += $5 } END { tell() }' \
      >"$out/estimates.txt"
  local codelet class tasks error expected took
  while IFS=$'\t' read -r codelet class tasks error expected took; do
    row codelet "$codelet" class "$class" tasks "$tasks" 'median error' "$error" 'mean expected us' "$expected" 'mean measured us' "$took"
  done <"$out/estimates.txt"
  [[ -s $out/estimates.txt ]] || failed 'no task with an estimate: apex.trace.json'
}

# check_loop LOOP WORKERS OPTION...: the command compares with the serial loop itself, and fails where they differ.
check_loop() {
  local loop=$1 workers=$2 name=loop-$1-${2// /-} code same=yes all on_gpus
  shift 2
  timeout --kill-after=5 60 "$starpath" loop "$loop" --json "$@" >"$out/$name.json" 2>"$out/$name.log"
  code=$?
  number() { sed -n "s/^  \"$1\": \([0-9.e+-]*\),*$/\1/p" "$out/$name.json"; }
  all=$(number iterations) on_gpus=$(number gpu_iterations)
  grep '"identical": true' "$out/$name.json" >/dev/null || same='no: not the bits of the serial loop'
  [[ $workers != GPUs || $on_gpus == "$all" ]] || same='no: not all iterations ran on GPUs'
  ((code == 0)) || same="no: exit status $code"
  row loop "$loop" workers "$workers" iterations "$all" 'on GPUs' "$on_gpus" us "$(number microseconds)" \
    'serial us' "$(number serial_microseconds)" 'same bits' "$same"
  [[ $same == yes ]] || failed "loop $loop on $workers: $same ($name.log)"
}
step_loops() {
  local loop small=()
  for loop in $loops; do
    [[ ! $pocl ]] || small=(--n "$([[ $loop == eclat ]] && echo 24 || echo 401)")
    check_loop "$loop" 'GPUs' --cpus 0 ${small[@]+"${small[@]}"}
    check_loop "$loop" 'GPUs and cores' ${small[@]+"${small[@]}"}
  done
}

# sanitize TOOL [FILTER]: without the tests of the filter.
sanitize() {
  command -v compute-sanitizer >/dev/null || { row 'left out' 'compute-sanitizer is not here'; return; }
  STARPATH_DEVICE_STRENGTH=1 shared_out "$1" compute-sanitizer --tool "$1" --error-exitcode 9 "$tests" \
    --gtest_filter="Cuda.*-*Bounded*:*AnyRelief*${2:+:$2}" || failed "compute-sanitizer $1: $1.log"
  row tool "$1" summary "$(grep 'SUMMARY' "$out/$1.log" | sort | uniq -c | paste -sd';')"
}
step_memcheck() { sanitize memcheck; }
# Blocks that wait for each other take minutes under it.
step_racecheck() { sanitize racecheck '*ToTheLimit*'; }

if [[ $inside ]]; then
  "step_$inside"
  exit "$failures"
fi

# --- The report: everything that is there so far

report_json() {
  local name seconds what status took separator=''
  printf '{"size": %s, "kind": "%s", "began": "%s", "steps": [' "$size" "$kind" "$began"
  while IFS='|' read -r name seconds what; do
    status='not run yet' took=0
    [[ ! -e $out/steps/$name.status ]] || IFS='|' read -r status took <"$out/steps/$name.status"
    printf '%s\n {"step": "%s", "what": %s, "status": "%s", "seconds": %s, "limit": %s, "rows": [' "$separator" "$name" \
      "$(quoted "$what")" "$status" "$took" "$seconds"
    # A line that a killed step left half-written is none.
    [[ ! -e $out/steps/$name.rows ]] || grep '^{.*}$' "$out/steps/$name.rows" | paste -sd, | sed 's/},{/},\n  {/g'
    printf ']}' && separator=,
  done < <(printf '%s\n' "${steps[@]}")
  printf '\n]}\n'
}

report_page() {
  cat <<'TEXT'
<!doctype html><html lang="en"><meta charset="utf-8"><title>Starpath on a GPU</title>
<style>body{font:15px/1.45 sans-serif;margin:2em;max-width:75em}table{border-collapse:collapse;margin:.5em 0 1.5em}
td,th{border:1px solid #ccc;padding:.2em .6em;text-align:left}td.n{text-align:right}.failed,.late{color:#a00;font-weight:bold}
.passed{color:#060}.none{color:#777}h2{margin-bottom:.1em}</style>
<h1>Starpath on a GPU</h1><div id="page"></div><script type="application/json" id="data">
TEXT
  sed 's#</#<\\/#g' "$out/report.json"
  cat <<'TEXT'
</script><script>
const report = JSON.parse(document.getElementById("data").textContent), page = document.getElementById("page");
const add = (to, tag, text, kind) => { const made = document.createElement(tag); if (text !== undefined) made.textContent = text;
  if (kind) made.className = kind; to.append(made); return made; };
const looks = {passed: "passed", failed: "failed", "took too long": "late"};
if (report.kind === "opencl") add(page, "p", "OpenCL devices on cores took the place of GPUs: no time here says how fast a GPU is.");
add(page, "p", `Slides of ${report.size} x ${report.size} pixels; begun ${report.began}.`);
const list = add(add(page, "table"), "tbody");
for (const step of report.steps) {
  const line = add(list, "tr");
  add(add(line, "td"), "a", step.step).href = "#" + step.step;
  add(line, "td", step.status, looks[step.status] || "none"); add(line, "td", step.seconds + " s", "n"); add(line, "td", step.what);
}
for (const step of report.steps) {
  add(page, "h2", step.step).id = step.step;
  add(page, "p", `${step.what}: ${step.status}, ${step.seconds} s of at most ${step.limit}.`);
  if (step.step === "compare" && step.rows.length) add(add(page, "p"), "a", "the page of the comparison").href = "compare.html";
  const names = [...new Set(step.rows.flatMap(row => Object.keys(row)))];
  if (!names.length) continue;
  const table = add(page, "table"), head = add(table, "tr");
  for (const name of names) add(head, "th", name);
  for (const row of step.rows) { const line = add(table, "tr");
    for (const name of names) { const value = row[name], number = typeof value === "number";
      add(line, "td", value === undefined ? "" : number ? +value.toPrecision(5) : value, number ? "n" : String(value).startsWith("no:") ? "failed" : ""); } }
}
</script></html>
TEXT
}

report_text() {
  printf '# Starpath on a GPU\n\n| step | status | seconds |\n|---|---|---|\n'
  local name seconds what status took
  while IFS='|' read -r name seconds what; do
    status='not run yet' took=0
    [[ ! -e $out/steps/$name.status ]] || IFS='|' read -r status took <"$out/steps/$name.status"
    printf '| %s: %s | %s | %s of %s |\n' "$name" "$what" "$status" "$took" "$seconds"
  done < <(printf '%s\n' "${steps[@]}")
  while IFS='|' read -r name _; do
    [[ -s $out/steps/$name.rows ]] || continue
    printf '\n## %s\n\n' "$name"
    grep '^{.*}$' "$out/steps/$name.rows" | sed 's/^{/- /; s/}$//; s/"//g'
  done < <(printf '%s\n' "${steps[@]}")
}

# write_report: each file appears whole.
write_report() {
  report_json >"$out/report.json.part" && mv "$out/report.json.part" "$out/report.json"
  report_page >"$out/report.html.part" && mv "$out/report.html.part" "$out/report.html"
  report_text >"$out/report.md.part" && mv "$out/report.md.part" "$out/report.md"
}

began=$(date -u +%FT%TZ)
rm -f "$out"/steps/*
child='' result=0
# Ended from outside: what there is stays, the step that runs counts as ended.
stopped() {
  [[ -z $child ]] || kill -TERM -- "-$child" 2>/dev/null
  echo "stopped|$((SECONDS - step_began))" >"$out/steps/$name.status"
  write_report
  say "stopped; report: $out/report.html"
  exit 1
}
step_began=0 name=device
trap stopped INT TERM HUP
set -m # a step is a group of processes, which ends as a whole
for entry in "${steps[@]}"; do
  IFS='|' read -r name limit what <<<"$entry"
  [[ -z $wanted || " $wanted " == *" $name "* ]] || { echo 'left out|0' >"$out/steps/$name.status"; continue; }
  [[ -z $most ]] || ((most > limit)) || limit=$most
  if [[ $minutes ]]; then
    left=$((minutes * 60 - SECONDS))
    ((left > 5)) || { echo 'no time left|0' >"$out/steps/$name.status"; result=1; continue; }
    ((left > limit)) || limit=$left
  fi
  say "$name: $what"
  step_began=$SECONDS status=0
  timeout --kill-after=10 "$limit" "${BASH_SOURCE[0]}" "${arguments[@]}" --out "$out" --inside "$name" \
    </dev/null >"$out/steps/$name.log" 2>&1 &
  child=$!
  wait "$child" || status=$?
  kill -KILL -- "-$child" 2>/dev/null # what it left behind
  child=''
  case $status in
    0) verdict=passed ;;
    77) verdict='no device' ;;
    124 | 137) verdict='took too long' result=1 ;;
    *) verdict=failed result=1 ;;
  esac
  echo "$verdict|$((SECONDS - step_began))" >"$out/steps/$name.status"
  write_report
  say "$name: $verdict, $((SECONDS - step_began)) s"
  if [[ $verdict == 'no device' ]]; then
    say "there is no CUDA device on this machine: nothing was checked"
    exit 3
  fi
done
write_report
say "report: $out/report.html, report.json, report.md; profile: $out/profile.sqlite"
exit "$result"
