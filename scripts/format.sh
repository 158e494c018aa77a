#!/usr/bin/env bash
# Formats the C++ and CUDA sources; with --check it only says which ones differ, and fails if any does.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"

# Other versions break lines in other places. Debian 12 has this one.
wanted=14

case ${1:-} in
  '') mode=(-i) ;;
  --check) mode=(--dry-run --Werror) ;;
  *) echo "usage: scripts/format.sh [--check]"; [[ $1 == -h || $1 == --help ]]; exit ;;
esac
program=clang-format-$wanted
command -v "$program" >/dev/null || program=clang-format
command -v "$program" >/dev/null || die "clang-format is not installed" "On Debian: apt-get install clang-format"
version=$("$program" --version | sed -n 's/.*version \([0-9]*\)\..*/\1/p')
if [[ $version != "$wanted" ]]; then
  [[ ${1:-} == --check ]] || die "clang-format $version is here; the sources are formatted by clang-format $wanted"
  say "format check skipped: clang-format $version is here; the sources are formatted by clang-format $wanted"
  exit
fi
cd "$root"
git ls-files -z --cached --others --exclude-standard '*.cpp' '*.hpp' '*.c' '*.h' '*.cu' '*.cuh' |
  while IFS= read -r -d '' file; do [[ ! -e $file ]] || printf '%s\0' "$file"; done |
  xargs -0 -r "$program" "${mode[@]}"
