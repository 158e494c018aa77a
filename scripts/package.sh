#!/usr/bin/env bash
# Set-up, build and packing of the Debian package.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

case ${1:-} in
  -h | --help)
    cat <<'TEXT'
usage: scripts/package.sh

Sets up what is missing, builds the preset `package` (no -march, no CUDA, its own StarPU) and makes
build/package/starpath_VERSION_ARCHITECTURE.deb. Prints its path.
TEXT
    exit ;;
esac

have_apt || die "a Debian package can be made on Debian and its kin only"
install_packages dpkg-dev file
"$here/build.sh" --preset package starpath starpath_sched
cd "$root/build/package"
rm -f ./*.deb
cpack -G DEB >cpack.log 2>&1 || { cat cpack.log >&2; die "cpack failed" "Log: $root/build/package/cpack.log"; }
printf '%s\n' "$PWD"/*.deb
