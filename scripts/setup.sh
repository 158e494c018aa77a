#!/usr/bin/env bash
# Installs what is missing and finds or builds StarPU. A second run finds everything there and changes nothing.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"
source "$here/lib/cuda.sh"
source "$here/lib/starpu_find.sh"
source "$here/lib/starpu_source.sh"
source "$here/lib/starpu_build.sh"

usage() {
  cat <<'TEXT'
usage: scripts/setup.sh [native|opencl|tsan|simgrid|smpi] [--command-only | --sched-only | --print-pkgconfig | --print-prefix]

Installs the packages the build needs (Debian and its kin) and finds or builds StarPU >= 1.4.
  native    real runs: MPI, hwloc, FxT, CUDA when nvcc is there (default)
  opencl    as native, with OpenCL devices on cores (PoCL) in the place of GPUs, for tests: docs/cuda.md
  tsan      as native without CUDA, and with mutexes for spin locks, which the thread sanitizer cannot see
  simgrid   one simulated machine
  smpi      several simulated nodes
  --command-only      without the packages that only tests and benchmarks need
  --sched-only        what the plug-in and its estimator need, for -DSTARPATH_COMPONENTS=sched
  --print-pkgconfig   change nothing; print the folder that holds starpu-1.4.pc
  --print-prefix      change nothing; print StarPU's installation prefix
Environment: STARPU_ROOT (an installed StarPU), STARPU_SOURCE (a tarball to build), STARPATH_CACHE (where builds
go; default ~/.cache/starpath), STARPATH_CUDA=OFF (build without CUDA).
TEXT
}

flavour=native action=setup wanted=("${base_packages[@]}" "${test_packages[@]}")
for argument; do
  case $argument in
    native | opencl | tsan | simgrid | smpi) flavour=$argument ;;
    --command-only) wanted=("${base_packages[@]}") ;;
    --sched-only) wanted=("${sched_packages[@]}") ;;
    --print-pkgconfig | --print-prefix) action=${argument#--print-} ;;
    -h | --help) usage; exit ;;
    *) usage >&2; die "unknown argument: $argument" ;;
  esac
done

if [[ $action == setup ]]; then
  ensure_packages "$flavour" "${wanted[@]}"
  if ! folder=$(find_starpu "$flavour"); then
    [[ -z ${STARPU_ROOT:-} ]] || exit 1
    hold_lock starpu
    install_distribution_starpu "$flavour" || true
    folder=$(find_starpu "$flavour") || build_starpu "$flavour"
    folder=$(find_starpu "$flavour") || die "StarPU was built, but cannot be found in $cache"
  fi
  say "StarPU $(PKG_CONFIG_PATH=$folder pkg-config --modversion starpu-1.4), flavour $flavour: $folder"
  exit
fi

folder=$(find_starpu "$flavour") || die "StarPU (flavour $flavour) is not set up" "Run: scripts/setup.sh $flavour"
case $action in
  pkgconfig) printf '%s\n' "$folder" ;;
  prefix) PKG_CONFIG_PATH=$folder pkg-config --variable=prefix starpu-1.4 ;;
esac
