#!/usr/bin/env bash
# No kernel holds a trap. nvcc compiles one, without a word, where device code reads a table that is the host's, and the
# kernel then ends the process on the first GPU that it meets; the SIMT host runtime cannot see it.
set -euo pipefail
library=$1
fail() { printf 'no_traps_test: %s\n' "$*" >&2; exit 1; }

grep -aq '^\.visible \.entry\|^\.entry' "$library" || fail "$library shows no kernel as PTX: is it there, and not compressed?"
# A kernel's name stands before its code.
traps=$(grep -ao '^\.visible \.entry [A-Za-z0-9_$]*\|^\.entry [A-Za-z0-9_$]*\|^[[:space:]]*trap;' "$library" |
  awk '/trap;/ { print name } { name = $NF }' | sort -u)
[[ -z $traps ]] || fail "these kernels end in a trap: $(c++filt <<<"$traps" | paste -sd' ')"
