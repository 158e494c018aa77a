#!/usr/bin/env bash
# Each header and each source compiled alone: nothing relies on what another file happens to include.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

case ${1:-} in
  -h | --help)
    cat <<'TEXT'
usage: scripts/headers.sh [FOLDER|FILE...]

Compiles every header and every source under the given paths (default: all of the program, without tests and benchmarks) in
a file of its own, without optimisation, and names those that do not compile. What was compiled once comes from the
compiler cache.
TEXT
    exit ;;
esac

if have_apt; then install_packages python3-minimal; fi
"$here/setup.sh" native --command-only
cd "$root"
export CCACHE_DIR=${CCACHE_DIR:-$cache/ccache} CCACHE_MAXSIZE=${CCACHE_MAXSIZE:-3G} CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
log=build/headers.configure.log
mkdir -p build
cmake --preset native -B build/headers -DSTARPATH_COMMAND_ONLY=ON -DSTARPATH_CUDA=OFF \
  "-DSTARPATH_STARPU_PKGCONFIG=$("$here/setup.sh" native --print-pkgconfig)" >"$log" 2>&1 ||
  { cat "$log" >&2; die "the preset native could not be configured for the headers" "Log: $root/$log"; }
exec python3 "$here/lib/compile_alone.py" "$root" build/headers "$@"
