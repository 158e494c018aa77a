#!/usr/bin/env bash
# Recipes in packaging/ fit the tree: they parse, they name its version, its options and its components.
# usage: recipes_test.sh SOURCE VERSION
set -euo pipefail
source=$1 version=$2
cd "$source/packaging"
fail() { printf 'FAIL: %s\n' "$*"; exit 1; }

python3 -c 'import ast, sys; ast.parse(open(sys.argv[1]).read())' spack_repo/starpath/packages/starpath_sched/package.py
if command -v guile >/dev/null; then
  # Guix adds #~ and #$ to what Guile reads.
  guile --no-auto-compile -c '(for-each (lambda (mark) (read-hash-extend mark (lambda (_ port) (read port)))) (list #\~ #\$))
    (define port (open-input-file "guix.scm"))
    (let next ((form (read port))) (unless (eof-object? form) (next (read port))))' || fail "guix.scm does not parse"
fi
bash -n install-in-image.sh
grep -q "(version \"$version\")" guix.scm || fail "guix.scm does not name version $version"
options=$(grep -rhoE 'STARPATH_[A-Z_]+' . | grep -v '^STARPATH_CACHE$' | sort -u) # that one is the set-up's
[[ $(wc -l <<<"$options") -ge 5 ]] || fail "the recipes name no options"
for option in $options; do
  grep -rqE "(option|set)\(${option}[ )]" "$source/cmake" || fail "a recipe names $option, which is no option of the build"
done
sources=$(grep -hoE '(apptainer\.def|install-in-image\.sh)' "$source/Containerfile" apptainer.def | sort -u)
for file in $sources; do [[ -e $file ]] || fail "there is no packaging/$file"; done
echo "PASS recipes"
