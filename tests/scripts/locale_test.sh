#!/usr/bin/env bash
# Numbers are read the same in every locale: no source of the product sets one, or reads numbers with a function that
# follows it. base/pure/parse_number.hpp does not.
# Usage: locale_test.sh TREE
set -euo pipefail

# following_locale TREE  prints "FILE:LINE:TEXT" for each such call
following_locale() {
  (
    cd "$1"
    grep -rnE --include='*.cpp' --include='*.hpp' --include='*.c' --include='*.h' --include='*.cu' --include='*.py' \
      --exclude-dir=build --exclude-dir=shared --exclude-dir=tests --exclude-dir=bench --exclude-dir='.?*' \
      '(^|[^a-z_])(setlocale|uselocale|imbue|strto(d|f|ld)|sto(d|f|ld)|atof|v?f?s?scanf) *\(' . | sed 's|^\./||' | sort || true
  )
}

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

# Does it see these calls, and those only?
mkdir -p "$scratch/tree/io" "$scratch/tree/tests"
printf 'double a = std::stod(text);\nint b = std::stoi(text); // no strtod\n  std::strtod (at, &end);\nsetlocale(LC_ALL, "");\n' \
  >"$scratch/tree/io/numbers.cpp"
printf 'setlocale(LC_ALL, "");\n' >"$scratch/tree/tests/locale.cpp"
expected='io/numbers.cpp:1:double a = std::stod(text);
io/numbers.cpp:3:  std::strtod (at, &end);
io/numbers.cpp:4:setlocale(LC_ALL, "");'
found=$(following_locale "$scratch/tree")
[[ $found == "$expected" ]] || { printf 'of a made-up tree it says:\n%s\nand not:\n%s\n' "$found" "$expected"; exit 1; }

found=$(following_locale "$1")
[[ -z $found ]] || { printf 'these follow the locale; use base/pure/parse_number.hpp:\n%s\n' "$found"; exit 1; }
