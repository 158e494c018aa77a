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
(default: all but tests and bench), those changed last first, and fails if it finds anything.
  --minutes N   begin no file after N minutes, and say how many are left
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
if have_apt && can_be_root; then install_packages clang-tidy; fi
command -v clang-tidy >/dev/null || die "clang-tidy is not installed" "On Debian: apt-get install clang-tidy"
# Configured in a folder of its own: another build may lack the tests, or be that of another option.
starpu=$("$here/setup.sh" native --print-pkgconfig)
log=build/tidy.configure.log
mkdir -p build
cmake --preset native -B build/tidy "-DSTARPATH_STARPU_PKGCONFIG=$starpu" >"$log" 2>&1 ||
  { cat "$log" >&2; die "the preset native could not be configured for clang-tidy" "Log: $root/$log"; }
((${#paths[@]})) || mapfile -t paths < <(git ls-files '*.cpp' | cut -d/ -f1 | sort -u | grep -vxE 'tests|bench')

# Every file once, by the commit that changed it last; only what the native build compiles.
newest_first() {
  { git ls-files --modified -- "${paths[@]}"; git log --format= --name-only --no-renames -- "${paths[@]}"; } |
    grep '\.cpp$' | awk '!seen[$0]++' | while read -r file; do
    ! grep -qF "$root/$file\"" build/tidy/compile_commands.json || printf '%s\n' "$file"
  done
}
mapfile -t files < <(newest_first)

finish() { rm -f "$state"; }
state=$(mktemp)
trap finish EXIT
export tidy_end=0 tidy_state=$state
# shellcheck disable=SC2016 # for the shell inside
tidy='[ "$tidy_end" = 0 ] || [ "$(date +%s)" -lt "$tidy_end" ] || exit 0
  echo "$1" >>"$tidy_state"
  clang-tidy -p build/tidy --quiet --warnings-as-errors="*" "$1" 2>/dev/null'
[[ -z $minutes ]] || tidy_end=$(($(date +%s) + minutes * 60))
status=0
printf '%s\0' "${files[@]}" | xargs -0 -n1 -P"$(nproc)" sh -c "$tidy" tidy || status=1
say "clang-tidy looked at $(wc -l <"$state") of ${#files[@]} files"
((status == 0)) || die "clang-tidy found what is named above"
