#!/usr/bin/env bash
# scripts/lib/chroot.sh: what is in the way of a bare Debian. The commands that it asks are stand-ins here.
set -euo pipefail
source_root=$1
((EUID == 0)) || exit 77
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
# shellcheck source=../../scripts/lib/common.sh
source "$source_root/scripts/lib/common.sh"
# shellcheck source=../../scripts/lib/chroot.sh
source "$source_root/scripts/lib/chroot.sh"

network=0
unshare() { :; }
have_apt() { :; }
install_packages() { :; }
debian_mirror() { echo http://mirror; }
wget() { [[ ${*: -1} == http://*/dists/trixie/Release ]] && return "$network"; }

# expect TEXT FOLDER [MIRROR]: what is in the way there
expect() {
  local found
  found=$(chroot_obstacle trixie "${@:2}")
  [[ $found == "$1" ]] || { echo "FAIL: '$found', expected '$1'"; exit 1; }
}

expect '' "$scratch/new"
network=8 # the server answers that it has no such file: debootstrap says so
expect '' "$scratch/new"
network=4
expect 'the mirror http://mirror does not answer' "$scratch/new"
expect 'the mirror http://other does not answer' "$scratch/new" http://other
mkdir -p "$scratch/kept/etc"
touch "$scratch/kept/etc/debian_version"
expect '' "$scratch/kept"
