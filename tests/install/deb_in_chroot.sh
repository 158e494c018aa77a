#!/usr/bin/env bash
# Installs the Debian package on a bare Debian (debootstrap, needs root) and segments with it. Takes minutes: not in CTest.
# usage: deb_in_chroot.sh PACKAGE [SUITE]   (default suite: bookworm, from the mirror that apt uses here)
set -euo pipefail
package=$(realpath "${1:?usage: deb_in_chroot.sh PACKAGE [SUITE]}")
suite=${2:-bookworm}
scratch=$(mktemp -d)
finish() {
  umount "$scratch/proc" 2>/dev/null || true
  rm -rf --one-file-system "$scratch"
}
trap finish EXIT

# shellcheck disable=SC2016 # for apt to expand
mirror=$(apt-get indextargets --format '$(REPO_URI)' 'Identifier: Packages' "Codename: $suite" | head -1)
debootstrap --variant=minbase "$suite" "$scratch" "$mirror" >"$scratch.log" 2>&1 || { tail "$scratch.log"; exit 1; }
{ grep -ls '^ *Acquire' /etc/apt/apt.conf.d/* || true; } | xargs -r cp -t "$scratch/etc/apt/apt.conf.d" # a proxy, for one
cp /etc/resolv.conf "$scratch/etc/resolv.conf"
cp "$package" "$scratch/starpath.deb"
mount -t proc proc "$scratch/proc"

# shellcheck disable=SC2016 # for the shell inside
env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root DEBIAN_FRONTEND=noninteractive chroot "$scratch" sh -ec '
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
