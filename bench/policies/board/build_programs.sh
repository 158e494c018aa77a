#!/usr/bin/env bash
# Builds StarPU's own programs that the board runs, outside this repository; prints their folder.
# shellcheck source-path=SCRIPTDIR source-path=SCRIPTDIR/../../../scripts
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scripts=$here/../../../scripts
source "$scripts/lib/common.sh"
source "$scripts/lib/packages.sh"
source "$scripts/lib/cuda.sh"
source "$scripts/lib/starpu_find.sh"
source "$scripts/lib/starpu_source.sh"
source "$scripts/lib/starpu_build.sh"
source "$here/../../../tests/conformance/programs.sh"

usage() {
  cat <<'TEXT'
usage: bench/policies/board/build_programs.sh [FLAVOUR]

Configures StarPU's source in the cache (as tests/conformance/run.sh does, and in the same folder), builds the programs
of the board against the StarPU of scripts/setup.sh FLAVOUR (simgrid), and prints the folder that holds them. The second
run takes a second. The programs are not changed; parallel_independent_heterogeneous_tasks_data is compiled with its full size
(StarPU's quick check would make it a fifth as long and accept 80 % of the machine).
TEXT
}

flavour=simgrid
case ${1:-} in
  '') ;;
  -h | --help) usage; exit ;;
  simgrid | native) flavour=$1 ;;
  *) usage >&2; die "unknown argument: $1" ;;
esac
programs=(cholesky/cholesky_implicit cholesky/cholesky_tag lu/lu_implicit_example_float lu/lu_implicit_example_double
  lu/lu_example_float mult/sgemm mult/dgemm)
test=parallel_independent_heterogeneous_tasks_data

"$scripts/setup.sh" "$flavour" >&2
prefix=$("$scripts/setup.sh" "$flavour" --print-prefix)
hold_lock "conformance-$flavour"
folder=$cache/conformance/$(programs_key "$prefix" "$flavour")
configure_programs "$folder" "$prefix" "$flavour"
build_programs "$folder" "$prefix" "${programs[@]}" >&2
for program in "${programs[@]}"; do
  [[ -x $folder/build/examples/$program ]] || die "StarPU's $program could not be built" "Log: $folder/make.log"
done
if [[ ! -x $folder/$test ]]; then
  printf '#include "helper.h"\n#undef STARPU_QUICK_CHECK\n#include "%s"\n' "$folder/src/tests/microbenchs/$test.c" >"$folder/$test.c"
  # shellcheck disable=SC2046 # a list of options
  logged "$folder/make.log" gcc -O2 "-I$folder/src/tests" "-I$folder/build/src" "-I$folder/src/src" $(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs starpu-1.4) \
    "-Wl,-rpath,$prefix/lib" -o "$folder/$test" "$folder/$test.c" -lstarpu-1.4 -lm || die "StarPU's $test could not be built" "Log: $folder/make.log"
fi
printf '%s\n' "$folder"
