# shellcheck shell=bash
# Debian packages: which ones a flavour needs, which are missing, and their installation.

# To build the plug-in and its estimator.
sched_packages=(g++ ccache cmake ninja-build pkg-config git libsqlite3-dev nlohmann-json3-dev libfmt-dev libboost-dev)

# To build all of Starpath.
# shellcheck disable=SC2034 # for setup.sh
base_packages=(
  "${sched_packages[@]}"
  libopenslide-dev libtiff-dev libpng-dev zlib1g-dev libdeflate-dev libzstd-dev libturbojpeg0-dev libexpat1-dev libdcmtk-dev
  libseccomp-dev libcli11-dev libglpk-dev libtomlplusplus-dev
)

# For tests and benchmarks. The Python packages are what `starpath cohort` needs; OpenCV is what the benchmarks compare with; its
# DNN module runs networks of others; GDAL reads maps in Zarr.
# shellcheck disable=SC2034 # for setup.sh
test_packages=(
  python3-pandas python3-scipy python3-matplotlib
  locales libgtest-dev libbenchmark-dev libboost-context-dev libopencv-core-dev libopencv-imgproc-dev libopencv-dnn-dev
  libgdal-dev
)

# For the preset fuzz: a compiler that has libFuzzer, and understands ranges (clang 14 and 15 do not).
# shellcheck disable=SC2034 # for build.sh
fuzz_packages=(clang-19 libclang-rt-19-dev)

# starpu_packages FLAVOUR: what building or linking that flavour of StarPU needs, one a line.
starpu_packages() {
  printf '%s\n' make libhwloc-dev
  case $1 in
    native | tsan) printf '%s\n' libfxt-dev libopenmpi-dev openmpi-bin ;;
    opencl) printf '%s\n' libfxt-dev libopenmpi-dev openmpi-bin ocl-icd-opencl-dev pocl-opencl-icd ;;
    simgrid) printf '%s\n' libsimgrid-dev libboost-dev python3-matplotlib ;; # the last plots bench/papers/simulated
    smpi) printf '%s\n' libsimgrid-dev libboost-dev xsltproc ;; # starpu_smpirun calls xsltproc
  esac
}

have_apt() { command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

# missing_packages PACKAGE...: those that are not installed, one a line.
missing_packages() {
  local installed package
  # dpkg-query fails when it does not know one of the names; what it says of the others still holds.
  installed=$({ dpkg-query -W -f '${db:Status-Status} ${Package}\n${db:Status-Status} ${Provides}\n' "$@" 2>/dev/null || true; } |
    sed -n 's/^installed //p' | tr -s ', ' '\n')
  for package; do
    grep -qxF -- "$package" <<<"$installed" || printf '%s\n' "$package"
  done
}

# as_root COMMAND...: directly or through sudo.
as_root() {
  if ((EUID == 0)); then "$@"; else sudo "$@"; fi
}

can_be_root() {
  ((EUID == 0)) && return
  command -v sudo >/dev/null || return
  sudo -n true 2>/dev/null || [[ -t 0 ]]
}

# install_packages PACKAGE...: installs those that are missing.
install_packages() {
  local list missing
  list=$(missing_packages "$@")
  [[ -n $list ]] || return 0
  mapfile -t missing <<<"$list"
  can_be_root || die "packages are missing and neither root nor sudo is available to install them" \
    "Ask an administrator to run: apt-get install --no-install-recommends ${missing[*]}"
  # shellcheck disable=SC2154 # of common.sh
  local log=$cache/logs/packages.log
  mkdir -p "$cache/logs"
  : >"$log"
  say "installing ${#missing[@]} packages (log: $log): ${missing[*]}"
  local apt=(env DEBIAN_FRONTEND=noninteractive apt-get -y -q -o DPkg::Lock::Timeout=600)
  logged "$log" as_root "${apt[@]}" update || say "apt-get update failed (see $log); trying the package lists that are here"
  logged "$log" as_root "${apt[@]}" install --no-install-recommends "${missing[@]}" ||
    die "apt-get could not install the packages ($(grep '^E:' "$log" | tail -1))" "Log: $log" \
      "Repair it by hand: apt-get update && apt-get install --no-install-recommends ${missing[*]}"
}

# check_tools_without_apt FLAVOUR PACKAGE...: on another distribution, say what is needed unless it is all here.
check_tools_without_apt() {
  local flavour=$1 absent=() tool module modules=(sqlite3 fmt hwloc)
  shift
  if [[ " $* " == *" libopenslide-dev "* ]]; then
    modules+=(openslide libtiff-4 libpng libdeflate libzstd libturbojpeg expat libseccomp)
  fi
  for tool in g++ cmake ninja pkg-config make git; do
    command -v "$tool" >/dev/null || absent+=("$tool")
  done
  if command -v pkg-config >/dev/null; then
    for module in "${modules[@]}"; do
      pkg-config --exists "$module" || absent+=("$module (library with headers)")
    done
  fi
  ((${#absent[@]} == 0)) && return
  die "this system has no apt-get, and these are missing: ${absent[*]}" \
    "Install the equivalents of these Debian packages: $* $(starpu_packages "$flavour" | paste -sd' ')" \
    "then run this again. docs/installing.md says more."
}

# ensure_packages FLAVOUR PACKAGE...: these, and what that flavour of StarPU needs.
ensure_packages() {
  if ! have_apt; then
    check_tools_without_apt "$@"
    return
  fi
  local for_starpu
  mapfile -t for_starpu < <(starpu_packages "$1")
  install_packages "${@:2}" "${for_starpu[@]}"
}
