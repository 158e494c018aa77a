#!/usr/bin/env bash
# scripts/setup.sh in trouble: each failure is one clear message, and a killed build leaves nothing that looks usable.
set -euo pipefail
source_root=$1
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export STARPATH_CACHE=$scratch/cache
unset STARPU_ROOT STARPU_SOURCE PKG_CONFIG_PATH
# No pkg-config file of the system is seen, so no StarPU installed on this machine is found.
export PKG_CONFIG_LIBDIR=$scratch/none
# shellcheck source=../../scripts/lib/common.sh
source "$source_root/scripts/lib/common.sh"
# shellcheck source=../../scripts/lib/packages.sh
source "$source_root/scripts/lib/packages.sh"
# shellcheck source=../../scripts/lib/cuda.sh
source "$source_root/scripts/lib/cuda.sh"
# shellcheck source=../../scripts/lib/starpu_find.sh
source "$source_root/scripts/lib/starpu_find.sh"
# shellcheck source=../../scripts/lib/starpu_source.sh
source "$source_root/scripts/lib/starpu_source.sh"
# shellcheck source=../../scripts/lib/starpu_build.sh
source "$source_root/scripts/lib/starpu_build.sh"

fail() { echo "FAIL: $*"; exit 1; }

# expect_error TEXT COMMAND...: the command fails and its message holds the text.
expect_error() {
  local text=$1 output
  shift
  if output=$("$@" 2>&1); then fail "'$*' succeeded; expected an error with: $text"; fi
  grep -qF -- "$text" <<<"$output" || fail "'$*' said: $output; expected: $text"
}

# tarball NAME CONFIGURE_BODY: a source tarball whose configure script is given.
tarball() {
  local tree=$scratch/tree/starpu-1.4.99
  rm -rf "$scratch/tree"
  mkdir -p "$tree"
  printf '%s\n' '#!/bin/sh' "PACKAGE_VERSION='1.4.99'" "$2" >"$tree/configure"
  chmod +x "$tree/configure"
  tar -C "$scratch/tree" -czf "$scratch/$1" starpu-1.4.99
}

setup=$source_root/scripts/setup.sh

expect_error "not set up" "$setup" --print-prefix
expect_error "Run: scripts/setup.sh simgrid" "$setup" simgrid --print-pkgconfig
expect_error "unknown argument: nativ" "$setup" nativ

STARPU_ROOT=$scratch/nowhere expect_error "STARPU_ROOT=$scratch/nowhere holds no StarPU" "$setup" --print-prefix

# A StarPU whose spin locks the thread sanitizer cannot see is not taken for one of the flavour tsan.
mkdir -p "$scratch/starpu/lib/pkgconfig" "$scratch/starpu/include/starpu/1.4"
printf '%s\n' "libdir=$scratch/starpu/lib" "includedir=$scratch/starpu/include" 'Name: StarPU' 'Description: StarPU' 'Version: 1.4.99' \
  >"$scratch/starpu/lib/pkgconfig/starpu-1.4.pc"
touch "$scratch/starpu/include/starpu/1.4/starpu_config.h" "$scratch/starpu/lib/libstarpu-1.4.so"
STARPU_ROOT=$scratch/starpu expect_error "is not of the flavour tsan" "$setup" tsan --print-pkgconfig
echo _starpu_spin_init >"$scratch/starpu/lib/libstarpu-1.4.so"
STARPU_ROOT=$scratch/starpu "$setup" tsan --print-pkgconfig >/dev/null || fail "StarPU with mutexes for spin locks was refused"

STARPU_SOURCE=$scratch/nothing.tar.gz expect_error "cannot be read" build_starpu native
echo "no archive" >"$scratch/broken.tar.gz"
STARPU_SOURCE=$scratch/broken.tar.gz expect_error "could not be unpacked" build_starpu native
tarball wrong.tar.gz 'echo "configure: error: no compiler"; exit 1'
STARPU_SOURCE=$scratch/wrong.tar.gz expect_error "could not be configured" build_starpu native
grep -q "no compiler" "$cache/logs/starpu-native.log" || fail "the log does not hold what configure said"
[[ -z $(ls "$cache/starpu" 2>/dev/null) ]] || fail "a failed build left an installation"

# Killed in the middle: no installation, and the next run starts afresh instead of tripping over the rest.
tarball slow.tar.gz "touch $scratch/started; sleep 5"
(STARPU_SOURCE=$scratch/slow.tar.gz build_starpu native) 2>/dev/null &
victim=$!
for _ in $(seq 100); do [[ -e $scratch/started ]] && break; sleep 0.1; done
[[ -e $scratch/started ]] || fail "the build did not start"
kill -9 "$victim"
wait "$victim" 2>/dev/null || true
[[ -z $(ls "$cache/starpu" 2>/dev/null) ]] || fail "a killed build left an installation"
expect_error "not set up" "$setup" --print-prefix
STARPU_SOURCE=$scratch/wrong.tar.gz expect_error "could not be configured" build_starpu native

# Two at once: the second waits for the first.
(hold_lock starpu; touch "$scratch/held"; sleep 1; touch "$scratch/released") &
for _ in $(seq 100); do [[ -e $scratch/held ]] && break; sleep 0.05; done
(hold_lock starpu; [[ -e $scratch/released ]]) 2>/dev/null || fail "two set-ups held the lock at once"
wait

# A cache that cannot be written to.
touch "$scratch/file"
expect_error "cannot create the cache folder" env STARPATH_CACHE="$scratch/file/cache" bash -c \
  "source '$source_root/scripts/lib/common.sh'; hold_lock starpu"

# The CUDA 13 repair: it replaces the field, is content with a source that has none, and notices one it does not know.
drivers=$scratch/repair/src/drivers/cuda
mkdir -p "$drivers"
printf '\tif (props[devid].computeMode == cudaComputeModeExclusive)\n\t{\n' | tee "$drivers/driver_cuda.c" >"$drivers/driver_cuda1.c"
repair_for_cuda13 "$scratch/repair" || fail "the repair refused the source it is for"
grep -q 'cudaDeviceGetAttribute(&compute_mode, cudaDevAttrComputeMode, devid)' "$drivers/driver_cuda1.c" || fail "the repair changed nothing"
cp "$drivers/driver_cuda.c" "$scratch/once"
repair_for_cuda13 "$scratch/repair" || fail "the repair refused a repaired source"
cmp -s "$drivers/driver_cuda.c" "$scratch/once" || fail "the repair is not idempotent"
echo 'if (other.computeMode)' >"$drivers/driver_cuda.c"
if repair_for_cuda13 "$scratch/repair"; then fail "the repair passed over a use it does not know"; fi
echo PASS
