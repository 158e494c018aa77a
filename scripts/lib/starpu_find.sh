# shellcheck shell=bash
# StarPU that is already there: STARPU_ROOT, pkg-config, the distribution's package, an earlier build of ours.

# starpu_config PCDIR: prints the path of the starpu_config.h that belongs to this pkg-config folder.
starpu_config() {
  local include
  include=$(PKG_CONFIG_PATH=$1 pkg-config --variable=starpu_includedir starpu-1.4)
  [[ -n $include ]] || include=$(PKG_CONFIG_PATH=$1 pkg-config --variable=includedir starpu-1.4)/starpu/1.4
  printf '%s\n' "$include/starpu_config.h"
}

starpu_defines() { grep -q "^#define $2 1" "$(starpu_config "$1")" 2>/dev/null; }

# has_flavour PCDIR FLAVOUR
has_flavour() {
  local library
  library=$(PKG_CONFIG_PATH=$1 pkg-config --variable=libdir starpu-1.4)/libstarpu-1.4
  case $2 in
    native) ! starpu_defines "$1" STARPU_SIMGRID ;;
    opencl) ! starpu_defines "$1" STARPU_SIMGRID && starpu_defines "$1" STARPU_USE_OPENCL ;;
    tsan) ! starpu_defines "$1" STARPU_SIMGRID && grep -q _starpu_spin_init "$library.so" ;; # a symbol only with its option
    simgrid) starpu_defines "$1" STARPU_SIMGRID && [[ -e $library.so ]] ;;
    smpi) starpu_defines "$1" STARPU_SIMGRID && starpu_defines "$1" STARPU_USE_MPI && [[ -e $library.a ]] ;;
  esac
}

# starpu_in ROOT: prints the pkg-config folder under an installation prefix.
starpu_in() {
  local file
  for file in "$1"/lib/pkgconfig/starpu-1.4.pc "$1"/lib64/pkgconfig/starpu-1.4.pc "$1"/lib/*/pkgconfig/starpu-1.4.pc; do
    [[ -e $file ]] && { dirname "$file"; return; }
  done
  return 1
}

# starpu_from_root FLAVOUR: the one STARPU_ROOT names; a wrong one is an error, never passed over.
starpu_from_root() {
  [[ -n ${STARPU_ROOT:-} ]] || return
  local folder
  folder=$(starpu_in "$STARPU_ROOT") || die "STARPU_ROOT=$STARPU_ROOT holds no StarPU 1.4 (no lib/pkgconfig/starpu-1.4.pc)" \
    "Name the installation prefix of StarPU >= 1.4, or unset STARPU_ROOT."
  has_flavour "$folder" "$1" || die "the StarPU in STARPU_ROOT=$STARPU_ROOT is not of the flavour $1" \
    "Unset STARPU_ROOT to have that flavour built, or name one configured as docs/installing.md says."
  printf '%s\n' "$folder"
}

# starpu_from_pkgconfig FLAVOUR: one that pkg-config knows. A system-wide one without CUDA is passed over
# on a machine with nvcc: the build would leave the GPUs idle.
starpu_from_pkgconfig() {
  command -v pkg-config >/dev/null || return
  local folder
  folder=$(pkg-config --variable=pcfiledir starpu-1.4 2>/dev/null) && [[ -n $folder ]] || return
  has_flavour "$folder" "$1" || return
  if [[ $1 == native && -z ${PKG_CONFIG_PATH:-} ]] && find_nvcc >/dev/null && ! starpu_defines "$folder" STARPU_USE_CUDA; then
    say "the installed StarPU ($folder) was built without CUDA, and nvcc is here: not using it (set STARPU_ROOT to use it)"
    return 1
  fi
  printf '%s\n' "$folder"
}

# starpu_from_cache FLAVOUR: our own build with the options of today.
starpu_from_cache() {
  local prefix source='*'
  [[ -z ${STARPU_SOURCE:-} ]] || source="*+$(source_checksum "$STARPU_SOURCE")"
  # shellcheck disable=SC2086 # the pattern is to be expanded
  prefix=$(compgen -G "$cache/starpu/$source-$1-$(build_key "$1")" | sort -V | tail -1)
  [[ -n $prefix ]] && starpu_in "$prefix"
}

# install_distribution_starpu FLAVOUR: libstarpu-dev, when it is new enough and lacks nothing we want.
install_distribution_starpu() {
  [[ $1 == native && -z ${STARPU_SOURCE:-} ]] && have_apt && ! find_nvcc >/dev/null || return
  local version
  version=$(LC_ALL=C apt-cache policy libstarpu-dev 2>/dev/null | sed -n 's/^ *Candidate: //p')
  [[ -n $version && $version != '(none)' ]] && dpkg --compare-versions "$version" ge 1.4 || return
  install_packages libstarpu-dev
}

# find_starpu FLAVOUR: prints the pkg-config folder of a StarPU that is ready for use.
find_starpu() {
  if [[ -n ${STARPU_ROOT:-} ]]; then
    starpu_from_root "$1"
  else
    starpu_from_pkgconfig "$1" || starpu_from_cache "$1"
  fi
}
