#!/usr/bin/env bash
# The README's commands on a bare Debian of another release, in a folder of its own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"
source "$here/lib/chroot.sh"

usage() {
  cat <<'TEXT'
usage: scripts/try-distribution.sh SUITE [--tests] [--keep FOLDER] [--mirror URL]

Makes a bare Debian SUITE (bookworm, trixie, testing, ...) with debootstrap in a temporary folder, copies this tree
into it, runs scripts/demo.sh there, and builds all commands, with ONNX Runtime where that Debian has it. The host is not touched: mounts are private to this command.
Exit status: 77, and one line that says why, where no such Debian can be made or entered (it needs root, for one).
  --tests         run scripts/test.sh too
  --keep FOLDER   make the Debian in FOLDER and keep it, with its packages and caches, for the next time
  --mirror URL    a Debian mirror; default: the one that apt uses here
TEXT
}

suite='' tests='' folder='' mirror=''
while (($#)); do
  case $1 in
    --tests) tests=yes ;;
    --keep) folder=${2:?--keep needs a folder}; shift ;;
    --mirror) mirror=${2:?--mirror needs an address}; shift ;;
    -h | --help) usage; exit ;;
    -*) usage >&2; die "unknown option: $1" ;;
    *) [[ -z $suite ]] || { usage >&2; die "one SUITE at a time"; }; suite=$1 ;;
  esac
  shift
done
[[ -n $suite ]] || { usage >&2; die "no SUITE is given"; }

if [[ -z $folder ]]; then
  folder=$(mktemp -d "${TMPDIR:-/tmp}/starpath-$suite.XXXXXX")
  trap 'rm -rf --one-file-system "$folder" "$folder.partial"' EXIT
fi
mkdir -p "$folder" "$cache/logs"
folder=$(realpath "$folder")
obstacle=$(chroot_obstacle "$suite" "$folder" "$mirror")
if [[ $obstacle ]]; then
  say "Debian $suite was not tried: $obstacle"
  exit 77
fi
make_chroot "$suite" "$folder" "$cache/logs/debootstrap-$suite.log" "$mirror"

copy_tree "$folder/root/starpath"

say "scripts/demo.sh on Debian $suite"
in_chroot "$folder" /root/starpath/scripts/demo.sh
# shellcheck disable=SC2016 # the shell inside expands it
in_chroot "$folder" sh -c 'package=libonnxruntime-dev
  ! apt-cache show $package >/dev/null 2>&1 || apt-get install -y -q --no-install-recommends $package >/dev/null'
in_chroot "$folder" /root/starpath/scripts/build.sh --command-only starpath_installed
if [[ -n $tests ]]; then
  say "scripts/test.sh on Debian $suite"
  in_chroot "$folder" /root/starpath/scripts/test.sh
fi
say "passed on Debian $suite"
