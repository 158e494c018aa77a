# shellcheck shell=bash
# CUDA: where nvcc is, which version, and two changes to the source of StarPU 1.4.

# find_nvcc: prints the path of nvcc; fails when there is none. STARPATH_CUDA=OFF hides it.
find_nvcc() {
  [[ ${STARPATH_CUDA:-AUTO} != OFF ]] || return 1
  command -v nvcc || { [[ -x /usr/local/cuda/bin/nvcc ]] && echo /usr/local/cuda/bin/nvcc; }
}

# cuda_version NVCC: prints for example 13.0
cuda_version() { "$1" --version | sed -n 's/.*release \([0-9.]*\),.*/\1/p'; }

# cuda_root NVCC: prints the toolkit's folder.
cuda_root() { dirname "$(dirname "$(readlink -f "$1")")"; }

# cuda_libraries ROOT: prints the folder that holds libcudart.so; nothing when it is a system folder.
cuda_libraries() {
  local folder
  for folder in "$1"/lib64 "$1"/lib; do
    [[ -e $folder/libcudart.so ]] && { printf '%s\n' "$folder"; return; }
  done
  return 0
}

# repair_for_cuda13 SOURCE: cudaDeviceProp::computeMode went away with CUDA 13; the attribute of the
# same name replaces it. Fails unless every use of the field was found and replaced.
repair_for_cuda13() {
  local file
  for file in "$1"/src/drivers/cuda/driver_cuda.c "$1"/src/drivers/cuda/driver_cuda1.c; do
    grep -q '\.computeMode' "$file" || continue # a later StarPU that needs no repair
    sed -i 's/^\([[:space:]]*\)if (props\[devid\]\.computeMode == cudaComputeModeExclusive)$/\1int compute_mode = cudaComputeModeDefault;\n\1cures = cudaDeviceGetAttribute(\&compute_mode, cudaDevAttrComputeMode, devid);\n\1if (STARPU_UNLIKELY(cures))\n\1\tSTARPU_CUDA_REPORT_ERROR(cures);\n\1if (compute_mode == cudaComputeModeExclusive)/' "$file"
    ! grep -q '\.computeMode' "$file" || return 1
    grep -q 'cudaDevAttrComputeMode' "$file" || return 1
  done
}

# leave_cublas_to_programs SOURCE: libstarpu no longer loads cuBLAS (600 MB, a fifth of a second of each start). Where a
# program is linked with cuBLAS, libstarpu finds it there, as the functions that it calls are weak symbols. Fails unless
# both changes fit.
leave_cublas_to_programs() {
  local drivers=$1/src/drivers/cuda weak=()
  mapfile -t weak < <(printf '#pragma weak %s\n' cublasInit cublasShutdown cublasSetKernelStream cublasCreate_v2 \
    cublasDestroy_v2 cublasSetStream_v2 cublasLtCreate cublasLtDestroy)
  local file
  for file in "$drivers"/starpu_cublas{,_v2,Lt}.c; do
    [[ -e $file ]] || return 1
    { printf '%s\n' "${weak[@]}"; cat "$file"; } >"$file.weak" && mv "$file.weak" "$file"
  done
  sed -i '/STARPU_CUDA_LDFLAGS=/s/ -lcublas\(Lt\)\{0,1\}"/"/' "$1/configure"
  ! grep -q 'STARPU_CUDA_LDFLAGS=.*-lcublas' "$1/configure"
}
