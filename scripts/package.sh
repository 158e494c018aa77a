#!/usr/bin/env bash
# Set-up, build and packing of the two Debian packages.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

usage() {
  cat <<'TEXT'
usage: scripts/package.sh [--distribution-starpu]

Sets up what is missing, builds the preset `package` (no -march, no CUDA, its own StarPU) and makes two packages in
build/package: starpath-sched_VERSION_ARCHITECTURE.deb holds the plug-in, its estimator and the documents;
starpath_VERSION_ARCHITECTURE.deb holds the command, and needs the first. Prints their paths.
  --distribution-starpu   for the StarPU >= 1.4 that this Debian packages, none of its own (preset `distribution`)
TEXT
}

preset=package
case ${1:-} in
  '') ;;
  --distribution-starpu) preset=distribution ;;
  -h | --help) usage; exit ;;
  *) usage >&2; die "unknown argument: $1" ;;
esac

have_apt || die "a Debian package can be made on Debian and its kin only"
install_packages dpkg-dev file
if [[ $preset == distribution ]]; then
  export STARPATH_CUDA=OFF
  "$here/setup.sh" native --command-only
  starpu=$("$here/setup.sh" native --print-pkgconfig)/starpu-1.4.pc
  dpkg -S "$(realpath "$starpu")" >/dev/null 2>&1 ||
    die "no package of this Debian brings the StarPU in use ($starpu)" "Use a Debian that packages StarPU >= 1.4, as trixie does."
fi
"$here/build.sh" --preset "$preset" starpath_installed
cd "$root/build/$preset"
rm -f ./*.deb
cpack -G DEB >cpack.log 2>&1 || { cat cpack.log >&2; die "cpack failed" "Log: $PWD/cpack.log"; }
printf '%s\n' "$PWD"/*.deb
