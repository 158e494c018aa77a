#!/usr/bin/env bash
# Runs StarPU's own programs under every policy of the plug-in and counts what passed, failed and was skipped.
# shellcheck source-path=SCRIPTDIR source-path=SCRIPTDIR/../../scripts
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scripts=$here/../../scripts
source "$scripts/lib/common.sh"
source "$scripts/lib/packages.sh"
source "$scripts/lib/cuda.sh"
source "$scripts/lib/starpu_find.sh"
source "$scripts/lib/starpu_source.sh"
source "$scripts/lib/starpu_build.sh"
source "$here/programs.sh"
source "$here/judge.sh"

usage() {
  cat <<'TEXT'
usage: tests/conformance/run.sh [--flavour native|opencl|simgrid] [--policy NAME]... [--program FOLDER/NAME]... [--quick]
                                [--limit SECONDS] [--plugin FILE] [--examples FOLDER]

Builds StarPU's own programs from its source, outside this repository, and runs each under every policy.
  --flavour   native: 2 CPU workers (default); opencl: a core and an OpenCL device, programs with OpenCL kernels, dmda
              too; simgrid: StarPU's recorded machine "mirage", 3 GPUs
  --policy    only this policy, may be repeated (default: all that the plug-in lists)
  --program   only this program, for example main/submit or cholesky/cholesky_tag, may be repeated
  --quick     a selection of the programs
  --limit     time limit of one program (default 120 s)
  --plugin    the plug-in to test (default: the one that scripts/build.sh makes)
  --examples  build no program: run those in this folder, as Debian's starpu-examples installs them; needs --plugin
Exit status: 0 nothing failed; 1 something failed; the table and the list of failures say what.
docs/conformance.md says what is judged and what is skipped. STARPATH_CACHE, STARPU_SOURCE: as in scripts/setup.sh.
TEXT
}

flavour=native quick='' limit=120 plugin='' examples='' policies=() only=()

# read_arguments ARGUMENT...: into the variables above.
read_arguments() {
  while (($#)); do
    case $1 in
      --flavour) flavour=${2:?--flavour needs a name}; shift ;;
      --policy) policies+=("${2:?--policy needs a name}"); shift ;;
      --program) only+=("${2:?--program needs a name}"); shift ;;
      --limit) limit=${2:?--limit needs seconds}; shift ;;
      --plugin) plugin=$(realpath "${2:?--plugin needs a file}"); shift ;;
      --examples) examples=$(realpath "${2:?--examples needs a folder}"); shift ;;
      --quick) quick=1 ;;
      -h | --help) usage; exit ;;
      *) usage >&2; die "unknown argument: $1" ;;
    esac
    shift
  done
  case $flavour in native | opencl | simgrid) ;; *) die "unknown flavour: $flavour" "There are: native, opencl, simgrid" ;; esac
  [[ -z $examples || ($plugin && $flavour == native) ]] || die "--examples needs --plugin, and the flavour native"
  [[ $limit =~ ^[1-9][0-9]*$ ]] || die "--limit $limit is not a number of seconds"
}

# prepare: StarPU, the plug-in and the programs are there.
prepare() {
  [[ -z $examples ]] || { prepare_examples; return; }
  "$scripts/setup.sh" "$flavour"
  prefix=$("$scripts/setup.sh" "$flavour" --print-prefix)
  if [[ -z $plugin ]]; then
    "$scripts/build.sh" --preset "$flavour" starpath_sched
    plugin=$root/build/$flavour/sched_policies/libstarpath_sched.so
  fi
  hold_lock "conformance-$flavour"
  folder=$cache/conformance/$(programs_key "$prefix" "$flavour")
  results=$folder/results
  configure_programs "$folder" "$prefix" "$flavour"
  mapfile -t programs < <(list_programs "$folder" "$quick")
  ((${#programs[@]})) || die "StarPU's makefiles in $folder list no program"
  take_only
  build_programs "$folder" "$prefix" "${programs[@]}"
}

# prepare_examples: the programs are installed, with the StarPU of the distribution.
prepare_examples() {
  hold_lock conformance-examples
  prefix=/usr folder=$cache/conformance/examples
  results=$folder/results
  [[ -x $prefix/bin/starpu_machine_display ]] || die "starpu_machine_display is missing" "Install the package starpu-tools."
  mapfile -t programs < <(list_examples "$examples")
  ((${#programs[@]})) || die "$examples holds no program"
  take_only
}

# take_only: of the programs, those that --program names.
take_only() {
  local name
  ((${#only[@]})) || return 0
  for name in "${only[@]}"; do
    grep -qxF "$name" < <(printf '%s\n' "${programs[@]}") || die "no program $name among those for $flavour"
  done
  programs=("${only[@]}")
}

# run_all: every program under eager, for comparison, then under every policy.
run_all() {
  local program policy
  rm -rf "$results"
  mkdir -p "$results/home" "$results/scratch"
  mapfile -t listed < <(listed_policies)
  ((${#listed[@]})) || die "the plug-in $plugin lists no policy" "Log: $results/help.log"
  ((${#policies[@]})) || policies=("${listed[@]}")
  [[ $flavour != opencl || ${policies[*]} != "${listed[*]}" ]] || policies+=(dmda)

  say "${#programs[@]} programs under eager, for comparison"
  for program in "${programs[@]}"; do run_program eager "$program"; done
  : >"$results/verdicts"
  for policy in "${policies[@]}"; do
    say "${#programs[@]} programs under $policy"
    for program in "${programs[@]}"; do judge "$policy" "$program" >>"$results/verdicts"; done
  done
  report_verdicts
}

read_arguments "$@"
prepare
run_all
exit
