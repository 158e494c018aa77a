#!/usr/bin/env bash
# Set-up, build and the whole test suite. The last line is CTest's own.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"

usage() {
  cat <<'TEXT'
usage: scripts/test.sh [--preset native|opencl|simgrid|asan|tsan|opencl-asan|opencl-tsan] [CTEST OPTION...]
       scripts/test.sh --all [OPTION...]

Sets up what is missing, builds the preset (default: native) and runs its tests through CTest, as many at once as there
are cores (-j1: one at a time).
--all runs everything that guards the tree, CI's stages and those that CI has no time for: scripts/check.sh --help.
Example: scripts/test.sh --preset asan -R reconstruct
TEXT
}

preset=native
case ${1:-} in
  -h | --help) usage; exit ;;
  --all) exec "$here/check.sh" "${@:2}" ;;
  --preset) preset=${2:?--preset needs a name}; shift 2 ;;
esac

"$here/build.sh" --preset "$preset"
cd "$root"
# CTest lists failed and skipped tests after its summary; repeat the summary so that it closes the output.
output=build/$preset.ctest.log
status=0
ctest --preset "$preset" -j"$(nproc)" "$@" 2>&1 | tee "$output" || status=$?
tail -1 "$output" | grep -q '^Total Test time' || grep -E 'tests passed,|No tests were found' "$output" | tail -1
exit "$status"
