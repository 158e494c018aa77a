#!/usr/bin/env bash
# Installs the Debian package on a bare Debian (debootstrap, needs root) and segments with it. Takes minutes: not in CTest.
# usage: deb_in_chroot.sh PACKAGE [SUITE]   (default suite: bookworm, from the mirror that apt uses here)
set -euo pipefail
package=$(realpath "${1:?usage: deb_in_chroot.sh PACKAGE [SUITE]}")
suite=${2:-bookworm}
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../scripts/lib/common.sh
source "$source_root/scripts/lib/common.sh"
# shellcheck source=../../scripts/lib/packages.sh
source "$source_root/scripts/lib/packages.sh"
# shellcheck source=../../scripts/lib/chroot.sh
source "$source_root/scripts/lib/chroot.sh"

scratch=$(mktemp -d)
trap 'rm -rf --one-file-system "$scratch" "$scratch.partial"' EXIT
mkdir -p "$cache/logs"
make_chroot "$suite" "$scratch" "$cache/logs/debootstrap-$suite.log"
cp "$package" "$scratch/starpath.deb"

# shellcheck disable=SC2016 # for the shell inside
in_chroot "$scratch" sh -ec '
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends /starpath.deb
  starpath --version
  starpath policies
  starpath segment synthetic:512x512 --out /o --policy pats
  test -s /o/results.sqlite
  settings=$(starpath env pats) && eval "$settings"
  test -f "$STARPU_SCHED_LIB"
  apt-get remove -y -q starpath
  test ! -e "$STARPU_SCHED_LIB"
'
echo "PASS deb_in_chroot"
