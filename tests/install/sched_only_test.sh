#!/usr/bin/env bash
# The plug-in and its estimator alone (STARPATH_COMPONENTS=sched), where pkg-config knows no library but those that they
# need: configured, built and installed. What the other components need is neither found nor asked for.
# usage: sched_only_test.sh CMAKE SOURCE BUILD STARPU_PKGCONFIG [-DOPTION...]
set -euo pipefail
cmake=$1 source=$2 build=$3 starpu=$4
shift 4
fail() { printf 'FAIL: %s\n' "$*"; exit 1; }

rm -rf "$build"
mkdir -p "$build/known"
# What StarPU itself asks for, and hwloc and SQLite.
for name in hwloc sqlite3 $(PKG_CONFIG_PATH=$starpu pkg-config --print-requires --print-requires-private starpu-1.4 | sed 's/[ <>=].*//'); do
  folder=$(pkg-config --variable=pcfiledir "$name") || continue # StarPU's own, which -DSTARPATH_STARPU_PKGCONFIG names
  cp "$folder/$name.pc" "$build/known/"
done
export PKG_CONFIG_LIBDIR=$build/known PKG_CONFIG_PATH=''
! pkg-config --exists openslide || fail "pkg-config knows OpenSlide: this test would show nothing"

"$cmake" -G Ninja -S "$source" -B "$build/tree" -DSTARPATH_COMPONENTS=sched -DSTARPATH_TESTS=OFF -DSTARPATH_BENCH=OFF \
  -DSTARPATH_STARPU_PKGCONFIG="$starpu" "$@" >"$build/log" 2>&1 || { cat "$build/log"; fail "it cannot be configured"; }
foreign=$(grep -iE '^[^/#]*(openslide|tiff|png|seccomp|turbojpeg|deflate|expat|zstd|zlib|cli11|glpk|toml|mpi_c|gtest|benchmark_dir|opencv)' \
  "$build/tree/CMakeCache.txt" | grep -v '^starpu_' || true) # StarPU's own libraries are its affair
[[ -z $foreign ]] || fail "it asked for what other components need: $foreign"

"$cmake" --build "$build/tree" --target starpath_installed >"$build/log" 2>&1 || { cat "$build/log"; fail "it cannot be built"; }
"$cmake" --install "$build/tree" --prefix "$build/prefix" >"$build/log" 2>&1 || { cat "$build/log"; fail "it cannot be installed"; }
for name in libstarpath_sched.so libstarpath_perfmodel.so perfmodel.h estimator.h starpath.pc starpath-config.cmake LICENSE; do
  [[ -n $(find "$build/prefix" -name "$name") ]] || fail "$name is not installed"
done
[[ ! -e $build/prefix/bin ]] || fail "a command is installed"
plugin=$(find "$build/prefix" -name libstarpath_sched.so)
# What it names itself: StarPU brings libraries of its own, as Debian's brings GLPK.
! readelf --dynamic "$plugin" | grep NEEDED | grep -E 'openslide|tiff|png|jpeg|seccomp|glpk' ||
  fail "the plug-in needs libraries of other components"
echo "PASS sched_only"
