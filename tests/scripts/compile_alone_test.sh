#!/usr/bin/env bash
# scripts/lib/compile_alone.py on a tree of five files: it names the header and the source that rely on another file.
set -uo pipefail
source_root=$1
command -v python3 >/dev/null || { echo "skipped: there is no python3"; exit 77; }
tree=$(mktemp -d)
trap 'rm -rf "$tree"' EXIT
fail() {
  printf 'compile_alone_test: %s\n' "$*" >&2
  cat "$tree/output" >&2
  exit 1
}
mkdir -p "$tree/io/part" "$tree/build"
git init -q "$tree"
echo '#include <vector>' >"$tree/io/whole.hpp"
echo 'inline std::vector<int> by_chance() { return {}; }' >"$tree/io/needy.hpp"
echo 'struct Part {};' >"$tree/io/part/part.hpp"
printf '%s\n' '#include "io/whole.hpp"' '#include "io/needy.hpp"' >"$tree/io/good.cpp"
printf '%s\n' '#include "io/part/part.hpp"' 'std::vector<Part> parts;' >"$tree/io/bad.cpp"
compiler=${CXX:-c++}
for name in good bad; do
  printf '{"directory": "%s/build", "command": "%s -I.. -o %s.o -c %s/io/%s.cpp", "file": "%s/io/%s.cpp"}\n' \
    "$tree" "$compiler" "$name" "$tree" "$name" "$tree" "$name"
done | paste -sd, | sed 's/^/[/; s/$/]/' >"$tree/build/compile_commands.json"

python3 "$source_root/scripts/lib/compile_alone.py" "$tree" build >"$tree/output" 2>&1 && fail 'it lets files pass that do not compile'
grep -q '^io/needy.hpp does not compile alone: .*error' "$tree/output" || fail 'it does not name the header'
grep -q '^io/bad.cpp does not compile alone: .*error' "$tree/output" || fail 'it does not name the source'
grep -q '^starpath: 5 files compiled alone, 2 failed$' "$tree/output" || fail 'it does not compile every file'

python3 "$source_root/scripts/lib/compile_alone.py" "$tree" build io/whole.hpp io/part >"$tree/output" 2>&1 || fail 'files that compile alone fail'
python3 "$source_root/scripts/lib/compile_alone.py" "$tree" build no/such >"$tree/output" 2>&1 && fail 'nothing compiled, and it passes'
echo PASS
