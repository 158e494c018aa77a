#!/usr/bin/env bash
# The packages without a StarPU of their own, built and installed on a Debian that packages StarPU >= 1.4: it segments, and the
# distribution's own examples run under every policy. Needs root and takes a quarter of an hour: not in CTest.
# usage: distribution_starpu.sh [SUITE [FOLDER]]   (default suite: trixie; FOLDER: where a Debian is kept, or is made)
set -euo pipefail
suite=${1:-trixie}
source_root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
# shellcheck source=../../scripts/lib/common.sh
source "$source_root/scripts/lib/common.sh"
# shellcheck source=../../scripts/lib/packages.sh
source "$source_root/scripts/lib/packages.sh"
# shellcheck source=../../scripts/lib/chroot.sh
source "$source_root/scripts/lib/chroot.sh"

if [[ ${2:-} ]]; then
  folder=$2
else
  folder=$(mktemp -d)
  trap 'rm -rf --one-file-system "$folder" "$folder.partial"' EXIT
fi
mkdir -p "$folder" "$cache/logs"
folder=$(realpath "$folder")
make_chroot "$suite" "$folder" "$cache/logs/debootstrap-$suite.log"
copy_tree "$folder/root/starpath"

# shellcheck disable=SC2016 # for the shell inside
in_chroot "$folder" bash -ec '
  export DEBIAN_FRONTEND=noninteractive
  cd /root/starpath
  apt-get update -q
  mapfile -t packages < <(scripts/package.sh --distribution-starpu)
  ((${#packages[@]} == 2))
  for package in "${packages[@]}"; do
    dpkg-deb --field "$package" Depends | grep libstarpu
    if dpkg-deb --contents "$package" | grep libstarpu; then exit 1; fi
  done
  apt-get install -y -q --no-install-recommends "${packages[@]}" starpu-examples starpu-tools
  starpath segment synthetic:512x512 --out /tmp/o --overwrite --quiet --policy pats
  examples=(/usr/lib/*/starpu/examples) plugin=(/usr/lib/*/starpath/libstarpath_sched.so)
  tests/conformance/run.sh --examples "${examples[0]}" --plugin "${plugin[0]}" --limit 60
  apt-get remove -y -q starpath starpath-sched
  test ! -e "${plugin[0]}"
'
echo "PASS distribution_starpu $suite"
