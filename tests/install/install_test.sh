#!/usr/bin/env bash
# Installs into a temporary folder, moves the tree, and uses it as an outside project would.
# usage: install_test.sh CMAKE BUILD SOURCE STARPU_PKGCONFIG
set -euo pipefail
cmake=$1 build=$2 source=$3 starpu=$4
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export STARPU_SILENT=1 STARPU_NCPU=2 STARPU_NCUDA=0 STARPU_HOME=$scratch
unset STARPU_SCHED STARPU_SCHED_LIB

fail() { printf 'FAIL: %s\n' "$*"; exit 1; }
# says PATTERN COMMAND...: in a pipe, grep -q would end before the command has said all, which pipefail takes for a failure.
says() {
  local output
  output=$("${@:2}") && grep -q "$1" <<<"$output"
}

"$cmake" --install "$build" --prefix "$scratch/first" --strip >"$scratch/log" || { cat "$scratch/log"; fail "cmake --install"; }
mv "$scratch/first" "$scratch/it's-moved"
prefix="$scratch/it's-moved"
config=$(find "$prefix" -name starpath.pc)
plugin=$(find "$prefix" -name libstarpath_sched.so)
starpath=$prefix/bin/starpath

echo "-- installed files name neither the build nor the source folder"
for folder in "$build" "$source" "$scratch"; do
  # Not a folder whose name only begins alike: StarPU may lie beside the source, as starpath-cache beside starpath.
  ! LC_ALL=C grep -rlaP -- "\Q$folder\E(?![\w.-])" "$prefix" || fail "these files hold the path $folder"
done

echo "-- documents and licence"
[[ -n $(find "$prefix" -name LICENSE) && -n $(find "$prefix" -name use-in-your-application.md) ]] || fail "documents are missing"

echo "-- links of the documents lead to files that are there"
while read -r page; do
  while read -r target; do
    [[ -e ${page%/*}/$target ]] || fail "$page: the link to $target leads nowhere"
  done < <(grep -oP '\]\(\K(?![a-z]+:)[^)#\s]+' "$page")
done < <(find "$prefix" -name '*.md')

echo "-- headers of include/starpath, as in the source tree"
if [[ -d $source/include/starpath ]]; then
  diff -r "$source/include/starpath" "$prefix/include/starpath" || fail "headers differ"
fi

echo "-- what shells and man look for"
for file in man/man1/starpath.1 bash-completion/completions/starpath zsh/site-functions/_starpath; do
  [[ -s $prefix/share/$file ]] || fail "share/$file is not installed"
done

echo "-- the command, with nothing in the environment to help it"
says '^  pats ' env -u LD_LIBRARY_PATH "$starpath" policies || fail "starpath policies does not list pats"
env -u LD_LIBRARY_PATH "$starpath" segment synthetic:256x256 --out "$scratch/out" --policy pats >"$scratch/log" 2>&1 ||
  { cat "$scratch/log"; fail "starpath segment"; }

echo "-- the program that decodes slides: without it, the exit code would be 7"
echo "Dear diary" >"$scratch/text.svs"
code=0
env -u LD_LIBRARY_PATH "$starpath" info "$scratch/text.svs" >"$scratch/log" 2>&1 || code=$?
((code == 3)) || { cat "$scratch/log"; fail "starpath info of a text file"; }

if [[ -e $build/io/libstarpath_zarr.so ]]; then
  echo "-- the library that reads maps in Zarr"
  [[ $(ldd "$starpath") != *libgdal* ]] || fail "the command loads GDAL at its start"
  mkdir "$scratch/maps.zarr"
  printf '%s' '{"zarr_format": 2, "shape": [64, 64], "chunks": [64, 64], "dtype": "|u1", "compressor": null,' \
    ' "filters": null, "fill_value": 0, "order": "C"}' >"$scratch/maps.zarr/.zarray"
  head -c 4096 /dev/zero >"$scratch/maps.zarr/0.0"
  env -u LD_LIBRARY_PATH "$starpath" instances "$scratch/maps.zarr" --kind labels --slide synthetic:64x64,mpp=0.5 \
    --export none --quiet --out "$scratch/of_maps" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "starpath instances"; }
fi

echo "-- the Python package, which starpath cohort starts"
env -u LD_LIBRARY_PATH "$starpath" segment synthetic:256x256,seed={1,2,3} --out "$scratch/study" --export none --quiet \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "starpath segment of three slides"; }
env -u LD_LIBRARY_PATH STARPATH_PYTHON="${STARPATH_PYTHON:-/usr/bin/python3}" "$starpath" cohort "$scratch/study" \
  >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "starpath cohort"; }
[[ $(wc -l <"$scratch/study/patients.csv") == 4 ]] || fail "rows of patients.csv"
[[ -z $(find "$prefix" -name __pycache__) ]] || fail "starpath cohort left something beside the package"

echo "-- a CMake project that finds starpath"
mkdir "$scratch/projects"
cp -r "$here/app.c" "$here/cmake_project" "$here/makefile_project" "$scratch/projects"
PKG_CONFIG_PATH=$starpu "$cmake" -S "$scratch/projects/cmake_project" -B "$scratch/projects/build" -Wno-dev \
  -DCMAKE_PREFIX_PATH="$prefix" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "find_package(starpath)"; }
"$cmake" --build "$scratch/projects/build" >"$scratch/log" 2>&1 || { cat "$scratch/log"; fail "the CMake project"; }
"$(dirname "$cmake")/ctest" --test-dir "$scratch/projects/build" --output-on-failure --no-tests=error ||
  fail "the CMake project's tests"

echo "-- a Makefile that asks pkg-config"
export PKG_CONFIG_PATH=${config%/*}:$starpu # a Starpath may be installed beside StarPU
make -s -C "$scratch/projects/makefile_project" check || fail "the Makefile project"
[[ $(pkg-config --variable=plugin starpath) -ef $plugin ]] || fail "pkg-config's plugin= is not the plug-in"

echo "-- a pipeline of one's own: the example of docs/workflows.md"
example=$(find "$prefix" -name dark_tissue.cpp)
# By its variable: pkg-config gives no flags for a folder whose name has a quote.
flags=()
eval "flags+=($(pkg-config --cflags starpu-1.4))" # it quotes for a shell, as in a macro of Debian's StarPU
flags+=(-I "$(pkg-config --variable=includedir starpath)")
"${CXX:-c++}" -std=c++20 -O2 -Wall -Wextra -Werror -shared -fPIC "$example" "${flags[@]}" -o "$scratch/dark_tissue.so" ||
  fail "the example does not compile"
run_example() { "$starpath" workflow "$scratch/dark_tissue.so" synthetic:600x500,seed=3 --out "$scratch/dark" --quiet "$@"; }
run_example || fail "starpath workflow"
run_example --resume || fail "starpath workflow --resume"
[[ $(head -1 "$scratch/dark/results.csv") == tile,x,y,width,height,dark_share,red_of_dark ]] || fail "columns of results.csv"
[[ $(wc -l <"$scratch/dark/results.csv") == 7 ]] || fail "rows of results.csv"
awk -F, 'NR > 1 { dark += $6 } END { exit !(dark > 0) }' "$scratch/dark/results.csv" || fail "nothing is dark"

echo "-- eval \"\$(starpath env)\" in any shell that is here"
app=$scratch/projects/build/app
passed='^PASS sum=5050 policy=pats$'
for shell in sh bash dash zsh; do
  command -v "$shell" >/dev/null || continue
  # shellcheck disable=SC2016 # for that shell to expand
  says "$passed" "$shell" -c 'eval "$("$1" env pats)"; "$2"' - "$starpath" "$app" || fail "env in $shell"
done
if command -v fish >/dev/null; then
  says "$passed" fish -c "\"$starpath\" env pats --shell fish | source; $app" || fail "env in fish"
fi
if command -v tcsh >/dev/null; then
  says "$passed" tcsh -fc "eval \`\"$starpath\" env pats --shell csh\`; $app" || fail "env in tcsh"
fi

echo "-- env: a stale plug-in in the shell, a policy of StarPU's own, a wrong name, a wrong shell"
says "^export STARPU_SCHED='dmda'$" env STARPU_SCHED_LIB=/no/such/plugin.so "$starpath" env dmda || fail "env dmda"
for wrong in "no_such_policy" "pats --shell cmd"; do
  status=0
  # shellcheck disable=SC2086 # two arguments
  "$starpath" env $wrong >"$scratch/stdout" 2>"$scratch/stderr" || status=$?
  [[ $status == 2 && ! -s $scratch/stdout && -s $scratch/stderr ]] || fail "env $wrong: status $status"
done

echo "PASS install"
