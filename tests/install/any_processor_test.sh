#!/usr/bin/env bash
# Libraries that other programs load run on any processor of the architecture: outside the copies of a function that the
# loader chooses by what the processor has (target_clones), there is no instruction that only some x86-64 processors know.
# any_processor_test.sh OBJDUMP LIBRARY...
set -euo pipefail
objdump=$1
shift
if [[ ! -x $objdump ]]; then
  echo "SKIP any_processor: there is no objdump (package binutils)"
  exit 77
fi
if ! LC_ALL=C "$objdump" -f "$1" | grep -q 'file format elf64-x86-64'; then
  echo "SKIP any_processor: $1 is not for x86-64"
  exit 77
fi
for library in "$@"; do
  # AVX and its successors begin with v; the rest is BMI, FMA4's and XOP's begin with v, too. verr and verw are old.
  "$objdump" -d --no-show-raw-insn "$library" | awk -F '\t' -v library="$library" '
    /^[0-9a-f]+ <.*>:$/ { name = $0; chosen = name ~ /\.(avx2|avx512f)(\.cold|\.[0-9]+)*>:$/; copies += chosen; next }
    NF < 2 { next }
    {
      ++read
      split($2, word, " ")
      if (chosen || word[1] ~ /^ver[rw]$/) next
      if (word[1] ~ /^(v[a-z0-9]+|k(mov|or|and|xor|not|unpck|shift|test|add)[a-z]*|shlx|shrx|sarx|rorx|mulx|andn|bextr|blsr|blsi|blsmsk|bzhi|pdep|pext|lzcnt|popcnt|movbe)$/ || /[yz]mm[0-9]/) {
        if (++bad <= 5) print library ": " name " " $2
      }
    }
    END {
      if (read < 1000) { print library ": objdump shows " read + 0 " instructions only"; exit 1 }
      print library ": " bad + 0 " instructions that not every processor knows, of " read ", and " copies + 0 " copies to choose from"
      exit bad > 0
    }'
done
echo "PASS any_processor"
