# shellcheck shell=bash
# Building a flavour of StarPU into the cache: its options, its key, the build itself.

# The largest number of CPU workers a build can drive; configure's own default is the build machine's core count.
max_cpus() {
  local cores
  cores=$(nproc)
  echo $((cores > 64 ? cores : 64))
}

# cuda_options NVCC: prints the configure options for CUDA, one a line.
cuda_options() {
  local toolkit libraries
  toolkit=$(cuda_root "$1")
  libraries=$(cuda_libraries "$toolkit")
  printf '%s\n' --enable-maxcudadev=8 "NVCC=$1" \
    ac_cv_lib_cusparse_cusparseCreate=no ac_cv_lib_cusolver_cusolverDnCreate=no
  [[ -e $toolkit/include/cuda_runtime.h ]] && printf '%s\n' "--with-cuda-dir=$toolkit"
  # Programs find the CUDA libraries without LD_LIBRARY_PATH.
  [[ -z $libraries ]] || printf '%s\n' "LDFLAGS=-Wl,-rpath,$libraries"
}

# flavour_options FLAVOUR: prints StarPU's configure options, one a line. Of debugging information the line numbers alone:
# the compiler needs a third less time than with all of it.
flavour_options() {
  local opencl=--disable-opencl
  [[ $1 != opencl ]] || opencl=--enable-opencl
  printf '%s\n' "--enable-maxcpus=$(max_cpus)" "$opencl" --disable-hip --disable-glpk --disable-mlr \
    --disable-build-doc --disable-build-tests --disable-build-examples --disable-starpufft --disable-socl \
    --disable-fortran --disable-starpupy "CFLAGS=-O2 -g1" "CXXFLAGS=-O2 -g1"
  local nvcc
  case $1 in
    native)
      printf '%s\n' --enable-mpi --enable-fxt --disable-static
      if nvcc=$(find_nvcc); then cuda_options "$nvcc"; else echo --disable-cuda; fi
      ;;
    # The thread sanitizer sees StarPU's mutexes, and not its spin locks: with the check they are mutexes too.
    opencl | tsan) printf '%s\n' --enable-mpi --enable-fxt --disable-static --disable-cuda --enable-spinlock-check ;;
    simgrid) printf '%s\n' --enable-simgrid --enable-maxcudadev=16 --disable-mpi --disable-fxt --disable-static ;;
    smpi) printf '%s\n' --enable-simgrid --enable-mpi --with-mpicc=smpicc --enable-maxcudadev=16 --disable-fxt --disable-shared ;;
  esac
}

# build_key FLAVOUR: changes with everything that makes a build unfit for use here.
build_key() {
  {
    flavour_options "$1"
    uname -m
    "${CC:-gcc}" --version 2>/dev/null | head -1
    local nvcc
    [[ $1 != native ]] || ! nvcc=$(find_nvcc) || { cuda_version "$nvcc"; declare -f leave_cublas_to_programs; }
  } | sha256sum | cut -c1-8
}

# build_failed WHAT LOG: with the last line of the log that names an error.
build_failed() {
  local cause
  cause=$(grep -iE '(^|[ :*])(error|fatal)[ :]|cannot' "$2" | tail -1) || true
  die "$1" ${cause:+"Cause: $cause"} "Log: $2" "${other_ways[@]}"
}

# unpack_source TARBALL FOLDER LOG: leaves StarPU's own top folder in FOLDER/src.
unpack_source() {
  case $1 in *.xz) ! have_apt || install_packages xz-utils ;; esac
  mkdir -p "$2/unpacked"
  logged "$3" tar -xf "$1" -C "$2/unpacked" || return 1
  mv "$2"/unpacked/* "$2/src" 2>>"$3" && [[ -x $2/src/configure ]]
}

# build_starpu FLAVOUR: builds in a scratch folder and renames the finished installation into place. The caller
# holds the lock, so whatever an earlier, killed build left in the scratch folder is nobody's.
build_starpu() {
  local flavour=$1 log="$cache/logs/starpu-$1.log" work=$cache/work/starpu-$1 tarball version prefix
  rm -rf "$cache/work"
  mkdir -p "$cache/logs" "$work/build"
  : >"$log"
  tarball=$(find_source "$log") || exit 1
  unpack_source "$tarball" "$work" "$log" || build_failed "the StarPU tarball $tarball could not be unpacked, or it has no configure script" "$log"
  version=$(sed -n "s/^PACKAGE_VERSION='\(.*\)'/\1/p" "$work/src/configure")
  case $version in 1.4.*) ;; *) build_failed "$tarball holds StarPU '${version:-unknown}'; 1.4.x is needed" "$log" ;; esac
  prefix=$cache/starpu/$version+$(source_checksum "$tarball")-$flavour-$(build_key "$flavour")

  local nvcc options
  if [[ $flavour == native ]] && nvcc=$(find_nvcc); then
    (($(cuda_version "$nvcc" | cut -d. -f1) < 13)) || repair_for_cuda13 "$work/src" ||
      build_failed "the CUDA 13 repair does not fit StarPU $version" "$log"
    leave_cublas_to_programs "$work/src" || say "StarPU $version is built as it is: every program will load cuBLAS, a fifth of a second of its start"
  fi
  mapfile -t options < <(flavour_options "$flavour")
  say "building StarPU $version, flavour $flavour (one or two minutes; log: $log)"
  (cd "$work/build" && logged "$log" ../src/configure --prefix="$prefix" "${options[@]}") ||
    build_failed "StarPU $version (flavour $flavour) could not be configured" "$log"
  logged "$log" make -C "$work/build" -j"$(nproc)" || build_failed "StarPU $version (flavour $flavour) did not compile" "$log"
  logged "$log" make -C "$work/build" install DESTDIR="$work/install" ||
    build_failed "StarPU $version (flavour $flavour) could not be installed into the cache" "$log"
  check_flavour "$flavour" "$work/install" "$prefix" "$log"
  mkdir -p "$cache/starpu"
  mv -T "$work/install$prefix" "$prefix"
  rm -rf "$cache/work"
}

# check_flavour FLAVOUR DESTDIR PREFIX LOG: configure drops what it cannot find; say so instead of installing less.
check_flavour() {
  local config="$2$3/include/starpu/1.4/starpu_config.h" wanted
  local -A define=([native]="STARPU_USE_MPI STARPU_USE_FXT" [opencl]="STARPU_USE_MPI STARPU_USE_FXT STARPU_USE_OPENCL" [tsan]="STARPU_USE_MPI STARPU_USE_FXT" [simgrid]="STARPU_SIMGRID" [smpi]="STARPU_SIMGRID STARPU_USE_MPI")
  wanted=${define[$1]}
  if [[ $1 == native ]] && find_nvcc >/dev/null; then wanted+=" STARPU_USE_CUDA"; fi
  local name
  for name in $wanted; do
    grep -q "^#define $name 1" "$config" || build_failed "StarPU's configure left out ${name#STARPU_} (flavour $1)" "$4"
  done
}
