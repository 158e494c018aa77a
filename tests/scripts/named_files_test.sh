#!/usr/bin/env bash
# Pages and comments name files and folders of the tree: each must be there. Names of a file alone may stand anywhere.
# Functions that the tour names beside a file must be in it.
# Usage: named_files_test.sh TREE
# shellcheck disable=SC2016 # backquotes and dollars are awk's and the pages'
set -euo pipefail

# missing TREE  prints "FILE:LINE: NAME" for each name of what TREE does not have
missing() {
  (
    cd "$1"
    find . \( -name '.?*' -o -path ./build -o -path ./shared \) -prune -o -print | sed 's|^\./||' >"$scratch/there"
    grep -vxE 'CHANGELOG.md|.*/network_notes.md' "$scratch/there" |
      grep -E '\.(md|hpp|cpp|cu|h|c|in|js|py|sh|cmake|toml)$|(^|/)CMakeLists\.txt$' |
      xargs awk -v list="$scratch/there" '
        BEGIN {
          while ((getline path <list) > 0) {
            there[path] = 1
            stem = path; sub(/\.[^.\/]*$/, "", stem); there[stem] = 1
            base = path; sub(/.*\//, "", base); bases[base] = 1
            top = path; if (sub(/\/.*/, "", top)) tops[top] = 1
          }
        }
        function tell(name) { print FILENAME ":" FNR ": " name }
        function look(name, wants_ending,  top) {
          sub(/[.\/]+$/, "", name)
          if (name ~ /^[_.\/-]/ || name ~ /[^A-Za-z0-9_.\/-]/) return
          source = name ~ /[A-Za-z0-9]\.(hpp|cpp|cu|sh|py|cmake)$/
          top = name
          if (!sub(/\/.*/, "", top)) { if (source && !(name in bases)) tell(name) }
          else if (top in tops && (source || !wants_ending) && !(name in there)) tell(name)
        }
        # A link begins where its page stands.
        function look_from(folder, name) {
          sub(/#.*/, "", name)
          if (name == "" || name ~ /:/) return
          while (sub(/^\.\.\//, "", name)) if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
          sub(/\/$/, "", name)
          if (!((folder == "" ? name : folder "/" name) in there)) tell(name)
        }
        FILENAME ~ /\.md$/ {
          folder = FILENAME; if (!sub(/\/[^\/]*$/, "", folder)) folder = ""
          rest = $0
          while (match(rest, /\]\([^) ]*\)/)) {
            look_from(folder, substr(rest, RSTART + 2, RLENGTH - 3)); rest = substr(rest, RSTART + RLENGTH)
          }
          count = split($0, parts, "`")
          for (i = 2; i < count; i += 2) look(parts[i], 0)
          next
        }
        {
          mark = FILENAME ~ /\.(hpp|cpp|cu|h|c|in|js)$/ ? "(^|[ \t])//" : "(^|[ \t])#"
          if (!match($0, mark)) next
          text = substr($0, RSTART + RLENGTH)
          gsub(/[a-z]+:\/\/[^ ]*/, "", text)
          count = split(text, words, /[^A-Za-z0-9_.\/-]+/)
          for (i = 1; i <= count; ++i) look(words[i], 1)
        }'
  )
}

tree=$(cd "$1" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Does it see what is stale, and that only?
mkdir -p "$scratch/tree/docs" "$scratch/tree/io"
printf '// See io/gone.hpp, io/here.cpp, *_gone.cpp, moved.hpp and http://io/gone.hpp.\n' >"$scratch/tree/io/here.cpp"
printf '`io/old.cpp`, `io/here`, [here](../io/here.cpp), [gone](gone.md), `io/<op>.cpp`\n' >"$scratch/tree/docs/page.md"
expected='docs/page.md:1: gone.md
docs/page.md:1: io/old.cpp
io/here.cpp:1: io/gone.hpp
io/here.cpp:1: moved.hpp'
found=$(missing "$scratch/tree" | sort)
[[ $found == "$expected" ]] || { printf 'of a made-up tree it says:\n%s\nand not:\n%s\n' "$found" "$expected"; exit 1; }

# not_in_files PAGE  prints "FILE: NAME" for each "`FILE`, `NAME`" of the page where FILE does not hold NAME
not_in_files() {
  grep -oE '`[^` ]+/[^` ]+`, `[A-Za-z_:]+`' "$1" | tr -d '`,' | while read -r file name; do
    grep -qw -- "${name##*::}" "$tree/$file" || printf '%s: %s\n' "$file" "$name"
  done
}

stale=$(missing "$tree" && not_in_files "$tree/docs/tour.md")
[[ -z $stale ]] || { printf 'these are named, but not there:\n%s\n' "$stale"; exit 1; }
