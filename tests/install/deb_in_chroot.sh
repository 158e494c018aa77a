#!/usr/bin/env bash
# Installs the two Debian packages on a bare Debian (debootstrap, needs root) and segments with them. Takes minutes: not in CTest.
# usage: deb_in_chroot.sh FOLDER [SUITE]   FOLDER holds the packages that scripts/package.sh made
# (default suite: bookworm, from the mirror that apt uses here)
set -euo pipefail
packages=$(realpath "${1:?usage: deb_in_chroot.sh FOLDER [SUITE]}")
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
cp "$packages"/starpath-sched_*.deb "$scratch/sched.deb"
cp "$packages"/starpath_*.deb "$scratch/command.deb"

# shellcheck disable=SC2016 # for the shell inside
in_chroot "$scratch" sh -ec '
  export DEBIAN_FRONTEND=noninteractive
  apt-get update -q
  apt-get install -y -q --no-install-recommends /sched.deb pkg-config
  plugin=$(pkg-config --variable=plugin starpath)
  test -f "$plugin"
  for library in openslide tiff png jpeg glpk; do
    if dpkg-query -W -f "\${Status} \${Package}\n" | grep "^install ok installed lib$library"; then
      echo "FAIL: the plug-in alone installs lib$library"
      exit 1
    fi
  done
  apt-get install -y -q --no-install-recommends /command.deb
  starpath --version
  starpath policies
  starpath segment synthetic:512x512 --out /o --policy pats
  test -s /o/results.sqlite
  for file in man/man1/starpath.1 bash-completion/completions/starpath zsh/vendor-completions/_starpath; do
    test -s /usr/share/$file
  done
  echo "Dear diary" >/text.svs
  code=0
  starpath info /text.svs || code=$?
  test "$code" = 3 # 7: without the program that decodes slides
  settings=$(starpath env pats) && eval "$settings"
  test "$STARPU_SCHED_LIB" -ef "$plugin"
  apt-get remove -y -q starpath
  test -f "$plugin"
  apt-get remove -y -q starpath-sched
  test ! -e "$plugin"
'
echo "PASS deb_in_chroot"
