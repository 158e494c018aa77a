#!/usr/bin/env bash
# clang-tidy on the sources of the preset native, the files changed last first.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

usage() {
  cat <<'TEXT'
usage: scripts/tidy.sh [--minutes N] [FOLDER|FILE...]

Runs clang-tidy (.clang-tidy says on what it looks for) on the .cpp files of the preset native under the given paths
(default: all but tests and bench), those changed last first, and fails if it finds anything. It reads up to eight files
of a folder together.
  --minutes N   begin nothing after N minutes, and say how many files were looked at
TEXT
}

minutes='' paths=()
while (($#)); do
  case $1 in
    --minutes) minutes=${2:?--minutes needs a number}; shift ;;
    -h | --help) usage; exit ;;
    -*) usage >&2; die "unknown option: $1" ;;
    *) paths+=("$1") ;;
  esac
  shift
done
cd "$root"
# clang 14 of Debian 12 does not compile all of C++20's ranges.
if have_apt && can_be_root; then
  if apt-cache show clang-tidy-19 >/dev/null 2>&1; then install_packages clang-tidy-19 python3; else install_packages clang-tidy python3; fi
fi
clang_tidy=$(command -v clang-tidy-19 clang-tidy | head -1) ||
  die "clang-tidy is not installed" "On Debian: apt-get install clang-tidy-19"
# Configured in a folder of its own: another build may lack the tests, or be that of another option.
starpu=$("$here/setup.sh" native --print-pkgconfig)
log=build/tidy.configure.log
mkdir -p build
cmake --preset native -B build/tidy "-DSTARPATH_STARPU_PKGCONFIG=$starpu" >"$log" 2>&1 ||
  { cat "$log" >&2; die "the preset native could not be configured for clang-tidy" "Log: $root/$log"; }
((${#paths[@]})) || mapfile -t paths < <(git ls-files '*.cpp' | cut -d/ -f1 | sort -u | grep -vxE 'tests|bench')

# Every file once, by the commit that changed it last.
newest_first() {
  { git ls-files --modified -- "${paths[@]}"; git log --format= --name-only --no-renames -- "${paths[@]}"; } |
    grep '\.cpp$' | awk -v root="$root" '!seen[$0]++ { print root "/" $0 }'
}
units=build/tidy/units
rm -rf "$units"
mkdir -p "$units"
: >"$units/looked_at"
newest_first | python3 scripts/lib/tidy_units.py build/tidy/compile_commands.json "$root/$units" >"$units/list"
(($(wc -l <"$units/list"))) || die "the preset native compiles none of: ${paths[*]}"

export clang_tidy tidy_end=0 tidy_units=$root/$units
# Of a unit whose files do not go together each is looked at alone. In a unit, what a file includes is a .cpp, and a header
# may declare what stands above it.
# shellcheck disable=SC2016 # for the shell inside
tidy='[ "$tidy_end" = 0 ] || [ "$(date +%s)" -lt "$tidy_end" ] || exit 0
  files=$(sed -n "s/^#include \"\(.*\)\"/\1/p" "$1")
  printf "%s\n" "$files" >>"$tidy_units/looked_at"
  "$clang_tidy" -p "$tidy_units" --quiet --checks=-bugprone-suspicious-include,-readability-redundant-declaration --config-file=.clang-tidy \
    --warnings-as-errors="*" "$1" >"$1.found" 2>/dev/null && exit 0
  grep -q "clang-diagnostic-error" "$1.found" || { cat "$1.found"; exit 1; }
  for file in $files; do
    "$clang_tidy" -p build/tidy --quiet --warnings-as-errors="*" "$file" 2>/dev/null || failed=1
  done
  exit "${failed:-0}"'
[[ -z $minutes ]] || tidy_end=$(($(date +%s) + minutes * 60))
status=0
xargs -d '\n' -n1 -P"$(nproc)" sh -c "$tidy" tidy <"$units/list" || status=1
say "clang-tidy looked at $(wc -l <"$units/looked_at") of $(cat "$units"/*.cpp | wc -l) files"
((status == 0)) || die "clang-tidy found what is named above"
