#!/usr/bin/env bash
# Everything that guards this tree, in stages: what CI runs within its time, and people with `scripts/test.sh --all`.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

# One row a stage, in the order in which they run: name | minutes on two cores from empty caches | minutes when what did not
# change is in the caches | what it does
stages=(
  "lint|2|1|shellcheck, clang-format, who includes whom"
  "demo|6|2|the README's first command"
  "newer|14|5|the same on a bare Debian 13, which has a newer compiler and newer libraries, and is kept for the next time"
  "native|18|10|the README's second command: every test"
  "simgrid|8|4|the tests on one simulated machine"
  "conformance|6|6|a selection of StarPU's own programs under every policy"
  "tsan|10|8|thread sanitizer: the policies in StarPU, the protocols between ranks"
  "asan|19|6|address and undefined-behaviour sanitizers: all that parses, computes or decides"
  "asan-rest|20|15|the same sanitizers: the tests that asan leaves out (the commands, ranks, CUDA kernels, policies in StarPU)"
  "browser|2|1|the pages that commands write, in a browser, which is installed for it"
  "headers|22|3|each header and each source compiled alone: nothing relies on what another file includes"
  "tidy|16|16|clang-tidy, the files changed last first, for fifteen minutes"
  "package|8|4|the Debian packages, installed on a bare Debian"
  "fuzz|15|6|fuzz targets, five seconds each: mostly building them with clang"
  "soak|5|4|three minutes of mixed runs under kills, full disks and lost ranks, all verified"
)

# The test programs of the stage asan: quick under the sanitizers, and near what users feed to the program.
asan_programs=(base_tests estimator_tests profile_store_tests io_tests codelets_tests workflow_tests
  pipelines_tests sched_policies_tests loops_tests lab_tests rank_protocol_tests)
asan_labels="^($(IFS='|'; printf '%s' "${asan_programs[*]}"))\$"

usage() {
  cat <<TEXT
usage: scripts/check.sh [--minutes N [--warm-minutes W] [--hard-stop M]] [STAGE...]

Runs the stages (default: all) and says at the end which passed, failed and were left out.
  --minutes N       start a stage only if the minutes it takes at most are left of N; lint, demo, newer and native always start.
                    Where native took longer than stated, all later stages count as longer by the same factor
  --warm-minutes W  N is W once the stage demo has taken no more than it takes when what did not change is in the caches
  --hard-stop M     end a stage that runs M minutes after the beginning (default: N + 15). A stage that does not always start
                    ends N minutes after the beginning already, and counts as left out
Stages, with their minutes on two cores from empty caches, and when what did not change is in the caches:
TEXT
  printf '%s\n' "${stages[@]}" | awk -F'|' '{printf "  %-11s  %2d  %2d  %s\n", $1, $2, $3, $4}'
}

# run_stage NAME: what the stage is, in the root of the tree.
run_stage() {
  case $1 in
    lint)
      # clang-19 is for a test of the stage native: scripts.locks_test.
      if have_apt && can_be_root; then install_packages shellcheck clang-format cmake clang-19; fi
      bash tests/scripts/shellcheck_test.sh "$root" || (($? == 77)) # 77: there is no shellcheck here
      scripts/format.sh --check
      cmake -DSOURCE="$root" -P cmake/check_layers.cmake
      ;;
    demo) scripts/demo.sh ;;
    native) scripts/test.sh ;;
    simgrid) scripts/test.sh --preset simgrid ;;
    conformance) tests/conformance/run.sh --quick ;;
    asan)
      scripts/build.sh --preset asan "${asan_programs[@]}"
      ctest --preset asan -j"$(nproc)" -L "$asan_labels"
      ;;
    asan-rest) scripts/test.sh --preset asan -LE "$asan_labels" ;;
    tsan)
      scripts/build.sh --preset tsan live_tests rank_protocol_tests ranks_as_threads_tests
      ctest --preset tsan -j"$(nproc)" -L '^(live|rank_protocol_tests|ranks_as_threads_tests)$'
      ;;
    newer) scripts/try-distribution.sh trixie --keep "$cache/distributions/trixie" ;;
    browser)
      if have_apt && can_be_root; then install_packages chromium; fi
      scripts/build.sh starpath starpath_sched apps_tests
      STARPATH_NEEDS_BROWSER=1 ctest --preset native -j"$(nproc)" -R '^(Page|Report)'
      ;;
    headers) scripts/headers.sh ;;
    tidy) scripts/tidy.sh --minutes 15 ;;
    fuzz) scripts/fuzz.sh --seconds 5 ;;
    soak)
      scripts/build.sh starpath starpath_sched
      bench/soak/soak.py --minutes 3
      ;;
    package) tests/install/deb_in_chroot.sh "$(dirname "$(scripts/package.sh | tail -1)")" ;;
  esac
}

names=() minutes='' warm_minutes='' hard_stop='' column=2
while (($#)); do
  case $1 in
    --minutes) minutes=${2:?--minutes needs a number}; shift ;;
    --warm-minutes) warm_minutes=${2:?--warm-minutes needs a number}; shift ;;
    --hard-stop) hard_stop=${2:?--hard-stop needs a number}; shift ;;
    --inside) cd "$root"; run_stage "$2"; exit ;; # how this script starts a stage
    -h | --help) usage; exit ;;
    *) names+=("$1") ;;
  esac
  shift
done
((${#names[@]})) || mapfile -t names < <(printf '%s\n' "${stages[@]}" | cut -d'|' -f1)
[[ -z $minutes ]] || : "${hard_stop:=$((minutes + 15))}"
# Stages that do not always start end earlier.
soft_stop=${minutes:-$hard_stop}
((${soft_stop:-0} <= ${hard_stop:-0})) || soft_stop=$hard_stop

# stated NAME [COLUMN]: the minutes of its row.
stated() { printf '%s\n' "${stages[@]}" | awk -F'|' -v name="$1" -v column="${2:-$column}" '$1 == name { print $column }'; }
for name in "${names[@]}"; do
  [[ -n $(stated "$name") ]] || { usage >&2; die "unknown stage: $name"; }
done

# How many times longer than stated stages take on this machine, as the stage native showed; at least 1.
slowness=1
# expected NAME: the minutes that the stage takes here, rounded up.
expected() { awk -v minutes="$(stated "$1")" -v slowness="$slowness" 'BEGIN { print int(minutes * slowness + 0.999) }'; }

# tests_of LOG: ctest's count, for the summary.
tests_of() { sed -n 's/.*tests passed, .* out of \([0-9]*\)$/, \1 tests/p' "$1" | tail -1; }

# why LOG: the end of a failed stage's log; of tests, those that failed with the ends of what they printed.
why() {
  if grep -q '^The following tests FAILED:' "$1"; then
    awk '/^ *[0-9]+\/[0-9]+ Test +#.*\*\*\*/ && !/\*\*\*Skipped/ { failed = 1; lines = 0 }
         /^ +Start +[0-9]+: / || /^[0-9]+% tests passed/ { failed = 0 }
         failed && ++lines <= 60' "$1"
    sed -n '/^The following tests FAILED:/,/^$/p' "$1"
  else
    tail -40 "$1"
  fi
}

# must_run NAME: the README's commands, the first of them on Debian 13 too, and what costs next to nothing.
must_run() { [[ $1 == lint || $1 == demo || $1 == newer || $1 == native ]]; }

cd "$root"
mkdir -p build/check
report=() failures=() closing=''
for name in "${names[@]}"; do
  log=build/check/$name.log left=$((minutes ? minutes - (SECONDS + 59) / 60 : 0))
  if [[ $minutes ]] && ! must_run "$name" && (($(expected "$name") > left)); then
    report+=("$name: left out: it may take $(expected "$name") minutes, and $left are left")
    continue
  fi
  say "stage $name"
  began=$SECONDS status=0 limit=0
  stop=$hard_stop
  must_run "$name" || stop=$soft_stop
  [[ -z $stop ]] || limit=$((stop * 60 > SECONDS ? stop * 60 - SECONDS : 1))
  timeout --kill-after=30 "$limit" "$here/check.sh" --inside "$name" </dev/null 2>&1 | tee "$log" || status=${PIPESTATUS[0]}
  took="$((SECONDS - began)) s$(tests_of "$log")"
  summary=$(grep -E 'tests passed, .* out of [0-9]+$' "$log" | tail -1) || true
  if ((status == 0)); then
    report+=("$name: passed, $took")
    [[ $closing && $name != native ]] || closing=$summary
    if [[ $name == demo && $warm_minutes ]] && ((SECONDS - began <= $(stated demo 3) * 60)); then
      column=3 minutes=$warm_minutes
    elif [[ $name == native ]]; then
      slowness=$(awk -v took="$((SECONDS - began))" -v minutes="$(stated native)" \
        'BEGIN { print (took > minutes * 60 ? took / (minutes * 60) : 1) }')
    fi
  elif ((status == 77)); then # the stage's last line says what this machine lacks
    report+=("$name: left out: $(tail -1 "$log" | sed 's/^starpath: //')")
  elif ((status == 124 || status == 137)) && ! must_run "$name"; then
    report+=("$name: left out: stopped after $took, when the time was over")
  else
    report+=("$name: FAILED, $took (log: build/check/$name.log)")
    failures+=("$name")
  fi
done
for name in "${failures[@]}"; do
  say "why the stage $name failed"
  why "build/check/$name.log"
done
printf 'starpath: %s\n' "${report[@]}"
# The output closes with CTest's own line, as long as everything passed.
((${#failures[@]})) || [[ -z $closing ]] || printf '\n%s\n' "$closing"
((${#failures[@]} == 0))
