#!/usr/bin/env bash
# Builds the fuzz targets (tests/fuzz/, one a file) and lets each look for inputs that break a parser.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
usage: scripts/fuzz.sh [--seconds N] [--jobs N] [TARGET...]

Runs each target (default: all) for N seconds (default 120), as many at once as there are cores (or --jobs), under the
address and undefined-behaviour sanitizers. Begins with the seeds in tests/fuzz/seeds, those that tests/fuzz/make_seeds.cpp
writes, and build/fuzz/corpus/TARGET, where inputs of earlier runs are kept. Exit code 1 when a target found something:
the input is in build/fuzz/findings, and `build/fuzz/fuzz/fuzz_TARGET FILE` repeats it. docs/robustness.md says more.

scripts/fuzz.sh --seconds 5 is the form of the stage `fuzz` (scripts/check.sh).
TEXT
}

seconds=120 jobs=$(nproc) wanted=()
while (($#)); do
  case $1 in
    --seconds) seconds=${2:?--seconds needs a number}; shift ;;
    --jobs) jobs=${2:?--jobs needs a number}; shift ;;
    -h | --help) usage; exit ;;
    -*) usage >&2; die "unknown option: $1" ;;
    *) wanted+=("$1") ;;
  esac
  shift
done
[[ $seconds =~ ^[1-9][0-9]*$ && $jobs =~ ^[1-9][0-9]*$ ]] || die "--seconds and --jobs take whole numbers above 0"

cd "$root"
for file in tests/fuzz/*.cpp; do
  [[ $file == */make_seeds.cpp || $file == */replay.cpp ]] || all+=("$(basename "$file" .cpp)")
done
((${#wanted[@]})) || wanted=("${all[@]}")
for target in "${wanted[@]}"; do
  [[ " ${all[*]} " == *" $target "* ]] || die "unknown target: $target" "There are: ${all[*]}"
done

"$here/build.sh" --preset fuzz fuzz_make_seeds "${wanted[@]/#/fuzz_}"
programs=build/fuzz/fuzz findings=build/fuzz/findings logs=build/fuzz/logs corpora=build/fuzz/corpus
mkdir -p "$findings" "$logs" build/fuzz/seeds
"$programs/fuzz_make_seeds" build/fuzz/seeds >"$logs/make_seeds.log" || die "the seeds could not be made" "Log: $logs/make_seeds.log"
# Models and machines that the tree has anyway.
mkdir -p build/fuzz/seeds/{lab_machine,lab_workload,lab_network,hwloc_xml}
for kind in machine workload network; do cp "lab/models/${kind}s"/*.toml "build/fuzz/seeds/lab_$kind/"; done
cp tests/machines/*.xml build/fuzz/seeds/hwloc_xml/

memory=$(mktemp -d "$([[ -w /dev/shm ]] && echo /dev/shm || echo /tmp)/starpath-fuzz.XXXXXX")
trap 'rm -rf "$memory"' EXIT

# fuzz_one TARGET: a log, and its inputs and findings in folders of their own.
fuzz_one() {
  local target=$1 status=0
  local options=(-max_total_time="$seconds" -timeout=25 -rss_limit_mb=3000 -print_final_stats=1 -verbosity=1
    -max_len=65536 -artifact_prefix="$findings/$target-")
  # OpenSlide asks for as much as a value in a TIFF claims, and is content with a refusal. It then takes only the pages
  # that the file fills, which -rss_limit_mb counts.
  [[ $target != slide_tiff ]] || options+=(-malloc_limit_mb=65536)
  local folders=("$corpora/$target" "build/fuzz/seeds/$target" "tests/fuzz/seeds/$target") folder present=()
  mkdir -p "$corpora/$target" "$memory/$target"
  for folder in "${folders[@]}"; do [[ ! -d $folder ]] || present+=("$folder"); done
  STARPATH_FUZZ_FOLDER=$memory/$target ASAN_OPTIONS=allocator_may_return_null=1:detect_leaks=1 \
    UBSAN_OPTIONS=print_stacktrace=1 LSAN_OPTIONS=suppressions=$root/tests/fuzz/leaks.supp \
    timeout $((seconds + 120)) "$programs/fuzz_$target" "${options[@]}" "${present[@]}" >"$logs/$target.log" 2>&1 || status=$?
  rm -rf "${memory:?}/$target"
  local runs
  runs=$(sed -n 's/^stat::number_of_executed_units: *//p' "$logs/$target.log")
  if ((status == 0)); then
    printf '%-16s %10s inputs, nothing found\n' "$target" "${runs:-?}"
    touch "$memory/$target.passed"
  else
    printf '%-16s %10s inputs, FOUND: %s (log: %s)\n' "$target" "${runs:-?}" \
      "$(grep -m1 -oE 'SUMMARY: .*|ERROR: libFuzzer: .*|terminate called.*' "$logs/$target.log" || echo "exit status $status")" "$logs/$target.log"
  fi
}

say "${#wanted[@]} targets, $seconds s each, $jobs at once"
for target in "${wanted[@]}"; do
  while (($(jobs -rp | wc -l) >= jobs)); do wait -n || :; done # what counts is the mark of a target that passed
  fuzz_one "$target" &
done
wait
for target in "${wanted[@]}"; do
  [[ -e $memory/$target.passed ]] || die "a target found something or did not run: build/fuzz/findings holds the inputs, $logs the logs"
done
