// Connected components by union and find on pixels: the base of labelling, filling, filters and plateaus.
#pragma once
#include <cstdint>

#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/connected_components.hpp"

namespace starpath::cuda {

/// The root of i in a forest where parent[root] == root.
__device__ inline std::int32_t find_root(const std::int32_t* parent, std::int32_t i) {
  std::int32_t up = load_shared_with_others(&parent[i]);
  while (up != i) {
    i = up;
    up = load_shared_with_others(&parent[i]);
  }
  return i;
}

/// The same, and shortens the way for later callers. It may undo a parent that another thread writes on the way, unless
/// that thread shortens or unites.
__device__ inline std::int32_t find_root_shortening(std::int32_t* parent, std::int32_t i) {
  std::int32_t up = load_shared_with_others(&parent[i]);
  while (up != i) {
    const std::int32_t above = load_shared_with_others(&parent[up]);
    if (above != up) parent[i] = above;
    i = up;
    up = above;
  }
  return i;
}

/// Joins the sets of a and b under the smaller of their roots, while other threads do the same elsewhere. Every parent
/// has a smaller index than its child. Source: Komura 2015 (one atomic minimum a union).
__device__ inline void unite(std::int32_t* parent, std::int32_t a, std::int32_t b) {
  while (true) {
    a = find_root_shortening(parent, a);
    b = find_root_shortening(parent, b);
    if (a == b) return;
    const std::int32_t high = a > b ? a : b, low = a > b ? b : a;
    const std::int32_t old = atomicMin(&parent[high], low);
    if (old == high) return;
    a = old;  // somebody else joined it first: the two parents still have to meet
    b = low;
  }
}

namespace detail {

/// The lane where the run begins that `lane` lies in, given the lanes where runs begin; bit 0 is always one.
STARPATH_HD constexpr int run_begin(unsigned begins, int lane) {
  for (int i = lane; i > 0; --i)
    if ((begins >> i & 1U) != 0) return i;
  return 0;
}

/// Joins each pixel to the first of its run, a run within 32 aligned pixels.
template <class Class>
__global__ void join_rows(int width, int height, Class class_of, std::int32_t* parent) {
  const int x = static_cast<int>(blockIdx.x * kPixelColumns + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const bool inside = x < width && y < height;
  const int here = inside ? class_of(x, y) : -1;
  const int lane = static_cast<int>(threadIdx.x);
  const int left = __shfl_up_sync(~0U, here, 1);
  const unsigned begins = __ballot_sync(~0U, lane == 0 || left != here);
  if (!inside) return;
  const std::int32_t index = y * width + x;
  parent[index] = here < 0 ? -1 : index - lane + run_begin(begins, lane);
}

/// Joins runs to those beside and above them, each pair of touching runs as rarely as one pixel can tell.
template <class Class>
__global__ void join_runs(int width, int height, bool eight, Class class_of, std::int32_t* parent) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= width || y >= height) return;
  const int here = class_of(x, y);
  if (here < 0) return;
  const std::int32_t index = y * width + x;
  const auto same = [&](int dx, int dy) {
    return x + dx >= 0 && x + dx < width && y + dy >= 0 && class_of(x + dx, y + dy) == here;
  };
  const bool left = same(-1, 0), above = same(0, -1), above_left = same(-1, -1);
  if (left && x % kPixelColumns == 0) unite(parent, index, index - 1);
  if (above && !(left && above_left)) unite(parent, index, index - width);
  if (!eight || above) return;
  if (above_left && !left) unite(parent, index, index - width - 1);
  if (same(1, -1) && !same(1, 0)) unite(parent, index, index - width + 1);
}

}  // namespace detail

/// parent[i] = root of i, wherever it is not negative. Most pixels lead to one beside them, where their run begins:
/// first those find their roots that lead further, then all others have a short way.
inline void point_to_roots(const KernelContext& context, std::int32_t* parent, std::int64_t count) {
  for_items(context, "roots of runs", count, [=] __device__(std::int64_t i) {
    const std::int32_t up = parent[i];
    if (up >= 0 && up / detail::kPixelColumns != i / detail::kPixelColumns)
      parent[i] = find_root_shortening(parent, static_cast<std::int32_t>(i));
  });
  for_items(context, "find roots", count, [=] __device__(std::int64_t i) {
    if (parent[i] >= 0) parent[i] = find_root(parent, static_cast<std::int32_t>(i));
  });
}

/// roots[y * width + x] = index of the first pixel in raster order of the component of (x, y), or -1 outside all of
/// them. A component consists of connected pixels of equal class_of(x, y) >= 0; class_of is called on the device.
template <class Class>
void find_components(const KernelContext& context, int width, int height, Connectivity connectivity, Class class_of,
                     std::int32_t* roots) {
  const dim3 grid(parts_of(width, detail::kPixelColumns), parts_of(height, detail::kPixelRows));
  const dim3 block(detail::kPixelColumns, detail::kPixelRows);
  launch(context, "join rows", grid, block, detail::join_rows<Class>, width, height, class_of, roots);
  launch(context, "join runs", grid, block, detail::join_runs<Class>, width, height,
         connectivity == Connectivity::eight, class_of, roots);
  point_to_roots(context, roots, std::int64_t{width} * height);
}

/// Pixels of a mask that are set: class 0.
struct SetPixels {
  MaskView mask;
  STARPATH_HD int operator()(int x, int y) const { return mask.at(x, y) != 0 ? 0 : -1; }
};

/// Pixels of a mask that are not set: class 0.
struct ClearPixels {
  MaskView mask;
  STARPATH_HD int operator()(int x, int y) const { return mask.at(x, y) == 0 ? 0 : -1; }
};

/// Memory for one T a pixel of an image of `like`'s size, set to 0.
template <class T, class U>
T* take_zeros(const KernelContext& context, View<U> like) {
  const std::int64_t count = like.pixels();
  T* const zeros = context.scratch.take<T>(static_cast<std::size_t>(count)).data();
  for_items(context, "set to 0", count, [=] __device__(std::int64_t i) { zeros[i] = 0; });
  return zeros;
}

/// flags[root] = 1 for each component that holds a pixel of `marker`, else 0.
inline const std::uint8_t* flag_marked(const KernelContext& context, MaskView marker, const std::int32_t* roots) {
  std::uint8_t* const flags = take_zeros<std::uint8_t>(context, marker);
  for_pixels(context, "flag marked", marker.width, marker.height, [=] __device__(int x, int y) {
    const std::int32_t root = roots[y * marker.width + x];
    if (root >= 0 && marker.at(x, y) != 0) flags[root] = 1;
  });
  return flags;
}

/// areas[root] = pixels of that component, in scratch memory; other entries are 0.
const std::int32_t* component_areas(const KernelContext& context, int width, int height, const std::int32_t* roots);

}  // namespace starpath::cuda
