#!/usr/bin/env bash
# Formats the C++ and CUDA sources; with --check it only says which ones differ, and fails if any does.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"

case ${1:-} in
  '') mode=(-i) ;;
  --check) mode=(--dry-run --Werror) ;;
  *) echo "usage: scripts/format.sh [--check]"; [[ $1 == -h || $1 == --help ]]; exit ;;
esac
command -v clang-format >/dev/null || die "clang-format is not installed" "On Debian: apt-get install clang-format"
cd "$root"
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h' '*.cu' '*.cuh' |
  xargs -0 -r clang-format "${mode[@]}"
