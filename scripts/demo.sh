#!/usr/bin/env bash
# From a fresh machine to a segmented slide: set-up, build, and the main job under the PATS policy.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"

case ${1:-} in
  -h | --help)
    cat <<'TEXT'
usage: scripts/demo.sh [SLIDE] [OUT]

Sets up what is missing, builds what `starpath segment` needs, and segments SLIDE (default: a synthetic slide made on
the spot) into the folder OUT (default: out/demo, made anew each time; results in another OUT are continued).
TEXT
    exit ;;
esac

slide=${1:-synthetic:4096x4096,seed=1}
out=${2:-out/demo}
again=--resume
[[ -n ${2:-} ]] || again=--overwrite
"$here/build.sh" --command-only starpath_segment
exec "$root/build/native/apps/starpath-segment" "$slide" --out "$out" "$again" --export geojson,csv,labels,overlay
