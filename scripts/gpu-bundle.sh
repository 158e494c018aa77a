#!/usr/bin/env bash
# Packs what a machine with a GPU needs to check and measure the CUDA code: scripts/gpu-check.py, programs, libraries.
set -euo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
source "$here/lib/common.sh"
source "$here/lib/packages.sh"

usage() {
  cat <<'TEXT'
usage: scripts/gpu-bundle.sh [--build FOLDER] [--out FILE.tar.gz]

Builds the programs with CUDA (build/gpu, for x86-64-v3), and StarPU's own programs outside this repository, and packs
them with the libraries they use, StarPU included, into one archive of less than 60 MiB (default: build/gpu-bundle.tar.gz).
There, unpack it and run ./gpu-check.py: the machine needs an NVIDIA driver, the CUDA 13 toolkit, Python 3.9 or newer, and
glibc 2.36 or newer.
  --build FOLDER   pack what is built there, which must have CUDA, and build nothing
TEXT
}

build='' archive=$root/build/gpu-bundle.tar.gz
while (($#)); do
  case $1 in
    --build) build=${2:?--build needs a folder}; shift ;;
    --out) archive=${2:?--out needs a file}; shift ;;
    -h | --help) usage; exit ;;
    *) usage >&2; die "unknown argument: $1" ;;
  esac
  shift
done

if [[ -z $build ]]; then
  "$here/build.sh" --preset gpu starpath starpath_sched gpu_tests gpu_bench task_cost
  build=$root/build/gpu
fi
command -v patchelf >/dev/null || install_packages patchelf
# The reference BLAS, which Debian takes where there is no other, is several times slower than a core can be.
! have_apt || install_packages libopenblas0-serial
starpu_programs=$("$root/bench/policies/board/build_programs.sh" native)/build/examples

programs=(apps/starpath apps/starpath-read tests/cuda/gpu_tests bench/gpu/gpu_bench bench/policies/task_cost)
plugin=sched_policies/libstarpath_sched.so
for file in "${programs[@]}" "$plugin"; do
  [[ -e $build/$file ]] || die "$build/$file is missing" \
    "Build it with CUDA: scripts/build.sh --preset gpu starpath starpath_sched gpu_tests gpu_bench task_cost"
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bundle=$work/starpath-gpu
mkdir -p "$bundle/bin" "$bundle/lib" "$bundle/sched_policies"
for program in "${programs[@]}"; do cp "$build/$program" "$bundle/bin/"; done
for program in cholesky/cholesky_implicit cholesky/cholesky_tag lu/lu_implicit_example_float lu/lu_example_float mult/sgemm; do
  cp "$starpu_programs/$program" "$bundle/bin/"
done
cp "$build/$plugin" "$bundle/sched_policies/"
cp "$here/gpu-check.py" "$bundle/"

# Everything they load but the C library, which must be the machine's, and CUDA, which comes with its toolkit and driver.
own='^(ld-linux|libc\.so|libm\.so|libdl\.so|libpthread\.so|librt\.so|libresolv\.so|libnss|libcuda\.so|libcudart|libcublas|libcusparse|libcusolver|libnv|libnccl)'
while read -r name path; do
  [[ $name =~ $own ]] && continue
  [[ -f $path ]] || die "the library $name was not found" "It is needed by the programs in $build"
  cp -L "$path" "$bundle/lib/$name"
done < <(ldd "$bundle"/bin/* "$bundle/$plugin" | awk '$2 == "=>" { print $1, $3 }' | sort -u)

for file in "$bundle"/bin/* "$bundle/$plugin" "$bundle"/lib/*; do
  strip --strip-unneeded "$file" 2>/dev/null || true # some distributions' libraries are stripped
  patchelf --set-rpath "\$ORIGIN/../lib:\$ORIGIN:/usr/local/cuda/lib64" "$file"
done

mkdir -p "$(dirname "$archive")"
tar -C "$work" -czf "$archive" starpath-gpu
size=$(stat -c %s "$archive")
((size < 60 << 20)) || die "the archive has $((size >> 20)) MiB, more than 60: $archive"
say "$archive ($((size >> 20)) MiB): unpack it on a machine with a GPU and run starpath-gpu/gpu-check.py"
