// The parts of CUDA that kernel sources may use. nvcc compiles the sources for a GPU. tests/support/simt.hpp, included
// before anything else, makes the same sources run on the CPU, thread by thread, in random orders (docs/cuda.md).
//
// Besides this header: threadIdx, blockIdx, blockDim, gridDim; __syncthreads and its _or, _and, _count; __syncwarp,
// __shfl_*_sync, __ballot_sync, __any_sync, __all_sync; atomicAdd, Min, Max, And, Or, Xor, Exch, CAS; __threadfence;
// __popc, __popcll, __ffs, __clz.
#pragma once
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

#if defined(__CUDACC__)
#include <cuda_runtime.h>
#elif !defined(STARPATH_SIMT)
#error "compile this with nvcc, or with tests/support/simt.hpp included first"
#endif

namespace starpath::cuda {

/// Thrown by a kernel function when CUDA refuses its work: the kernel, and CUDA's words.
class DeviceError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

#if defined(__CUDACC__)

/// An array in the block's shared memory. Its contents are unspecified at first.
#define STARPATH_SHARED(T, name, count) __shared__ T name[count]

/// Queues kernel(args...) on the context's stream; does nothing for an empty grid. Throws DeviceError.
template <class... Parameters, class... Arguments>
void launch(const KernelContext& context, const char* name, dim3 grid, dim3 block, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  if (grid.x == 0 || grid.y == 0 || grid.z == 0) return;
  kernel<<<grid, block, 0, static_cast<cudaStream_t>(context.stream)>>>(arguments...);
  if (const cudaError_t error = cudaGetLastError(); error != cudaSuccess)
    throw DeviceError(std::string("CUDA kernel ") + name + ": " + cudaGetErrorString(error) + " (" +
                      cudaGetErrorName(error) + ")");
}

/// Reads memory that other threads may be writing, and ignores copies of it that this thread may hold.
template <class T>
__device__ T load_shared_with_others(const T* p) {
  return *static_cast<const volatile T*>(p);
}

/// Lets other threads go ahead of one that waits for them.
__device__ inline void pause_thread() { __nanosleep(200); }

/// sum + the products of the four signed bytes of a and b.
__device__ inline std::int32_t dot4(std::int32_t a, std::int32_t b, std::int32_t sum) { return __dp4a(a, b, sum); }

#else

#define STARPATH_SHARED(T, name, count) auto& name = ::starpath::simt::shared<T, (count), __COUNTER__>()

template <class... Parameters, class... Arguments>
void launch(const KernelContext&, const char* name, dim3 grid, dim3 block, void (*kernel)(Parameters...),
            const Arguments&... arguments) {
  simt::run_grid(name, grid, block, [&] { kernel(arguments...); });
}

template <class T>
T load_shared_with_others(const T* p) {
  simt::preempt();
  return *p;
}

inline void pause_thread() { simt::yield(); }

inline std::int32_t dot4(std::int32_t a, std::int32_t b, std::int32_t sum) {
  for (int shift = 0; shift < 32; shift += 8)
    sum += static_cast<std::int8_t>(a >> shift & 0xff) * static_cast<std::int8_t>(b >> shift & 0xff);
  return sum;
}

#endif

namespace detail {

inline constexpr int kItemThreads = 256;
inline constexpr int kPixelColumns = 32;
inline constexpr int kPixelRows = 8;

template <class Body>
__global__ void pixels_kernel(int width, int height, Body body) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) body(x, y);
}

template <class Body>
__global__ void items_kernel(std::int64_t count, Body body) {
  const std::int64_t i = std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  if (i < count) body(i);
}

}  // namespace detail

/// How many parts of `size` cover `count`.
STARPATH_HD constexpr unsigned parts_of(std::int64_t count, std::int64_t size) {
  return static_cast<unsigned>((count + size - 1) / size);
}

/// One thread a pixel: body(x, y), a lambda [=] __device__(int, int), for every pixel of a width x height image.
template <class Body>
void for_pixels(const KernelContext& context, const char* name, int width, int height, Body body) {
  launch(context, name, dim3(parts_of(width, detail::kPixelColumns), parts_of(height, detail::kPixelRows)),
         dim3(detail::kPixelColumns, detail::kPixelRows), detail::pixels_kernel<Body>, width, height, body);
}

/// One thread an item: body(i), a lambda [=] __device__(std::int64_t), for 0 <= i < count.
template <class Body>
void for_items(const KernelContext& context, const char* name, std::int64_t count, Body body) {
  launch(context, name, dim3(parts_of(count, detail::kItemThreads)), dim3(detail::kItemThreads),
         detail::items_kernel<Body>, count, body);
}

/// An image of `like`'s size in scratch memory, without padding.
template <class T, class U>
View<T> take_image(const KernelContext& context, View<U> like) {
  return {context.scratch.take<T>(static_cast<std::size_t>(like.pixels())).data(), like.width, like.height, like.width};
}

}  // namespace starpath::cuda
