#!/usr/bin/env bash
# Set-up, configure and build of one preset: what test.sh and demo.sh begin with.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

usage() {
  cat <<'TEXT'
usage: scripts/build.sh [--preset native|sched|opencl|simgrid|smpi|asan|tsan|opencl-asan|opencl-tsan|fuzz|gpu|package|distribution] [--command-only] [TARGET...]

Sets up what is missing (scripts/setup.sh), configures build/<preset> and builds the targets (default: all). The preset sched is the plug-in and its
estimator alone, which need few packages; the others are Starpath as a whole, for tests, devices and packages.
  --command-only   no tests, no benchmarks, and CUDA kernels only where there is a GPU: the way to a first result
TEXT
}

preset=native
command_only=OFF
targets=()
while (($#)); do
  case $1 in
    --preset) preset=${2:?--preset needs a name}; shift ;;
    --command-only) command_only=ON ;;
    -h | --help) usage; exit ;;
    -*) usage >&2; die "unknown option: $1" ;;
    *) targets+=("$1") ;;
  esac
  shift
done

case $preset in
  native | sched | asan | gpu) flavour=native ;;
  package | distribution | fuzz) flavour=native; export STARPATH_CUDA=OFF ;; # for machines without GPU libraries
  opencl | opencl-asan | opencl-tsan) flavour=opencl ;;
  tsan | simgrid | smpi) flavour=$preset ;;
  *) die "unknown preset: $preset" "There are: native, sched, opencl, simgrid, smpi, asan, tsan, opencl-asan, opencl-tsan, fuzz, gpu, package, distribution" ;;
esac

setup=("$here/setup.sh" "$flavour")
if [[ $preset == sched ]]; then "${setup[@]}" --sched-only
elif [[ $command_only == ON ]]; then "${setup[@]}" --command-only
else "${setup[@]}"
fi
if [[ $preset == fuzz ]] && have_apt; then install_packages "${fuzz_packages[@]}"; fi
cd "$root"
# Another clone of this tree finds what was compiled here: with paths relative to the tree, and without CCACHE_DEPEND, as
# the files that CMake makes of folders hold absolute paths, which only the preprocessor leaves out.
export CCACHE_DIR=${CCACHE_DIR:-$cache/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-3G}
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
log=build/$preset.configure.log
mkdir -p build
# Warnings are errors in CI and in the clones of developers: a newer compiler may warn of what is no fault.
if [[ $preset == fuzz ]]; then werror=OFF # another compiler
elif [[ ${CI:-} == true ]]; then werror=ON; else werror=$(git config starpath.werror 2>/dev/null) || true; fi
# The cache variables are given each time, so that a build folder follows when the set-up finds another StarPU.
options=("-DSTARPATH_STARPU_PKGCONFIG=$("${setup[@]}" --print-pkgconfig)" "-DSTARPATH_COMMAND_ONLY=$command_only"
  ${werror:+"-DSTARPATH_WERROR=$werror"})
# Who begins with README's commands, or makes a package, compiles folders together; a build folder stays as it began, so
# that nothing is compiled twice.
if [[ ! -e build/$preset/CMakeCache.txt ]]; then
  case $preset in
    native) [[ $command_only != ON && $werror == ON ]] || options+=(-DSTARPATH_UNITY=ON) ;;
    sched | package | distribution) options+=(-DSTARPATH_UNITY=ON) ;;
  esac
fi
cmake --preset "$preset" "${options[@]}" >"$log" 2>&1 ||
  { cat "$log" >&2; die "the build could not be configured (preset $preset)" "Log: $root/$log"; }
sed -n 's/^-- starpath: /starpath: /p' "$log" >&2
cmake --build "build/$preset" -j"$(nproc)" ${targets[@]+--target "${targets[@]}"} >&2
