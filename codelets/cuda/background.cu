// Operations 0 and 1, a thread a pixel.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/background.hpp"

namespace starpath::cuda {
namespace {

constexpr int kCountThreads = 256;
static_assert(kTissueCell == kCountThreads, "a block's pixels lie in two cells at most");

/// One block a stretch of 256 pixels of a row: at most two cells, for which it adds once each.
__global__ void count_kernel(MaskView background, int origin_x, int origin_y, View<std::uint32_t> counts) {
  const int x0 = static_cast<int>(blockIdx.x) * kCountThreads, x = x0 + static_cast<int>(threadIdx.x);
  const int y = static_cast<int>(blockIdx.y);
  const auto column = [=](int at) { return (origin_x + at) / kTissueCell - origin_x / kTissueCell; };
  const bool set = x < background.width && background.at(x, y) != 0;
  const bool first = column(x) == column(x0);
  const int in_first = __syncthreads_count(set && first), in_second = __syncthreads_count(set && !first);
  if (threadIdx.x != 0) return;
  const int row = (origin_y + y) / kTissueCell - origin_y / kTissueCell;
  if (in_first != 0) atomicAdd(&counts.at(column(x0), row), static_cast<unsigned>(in_first));
  if (in_second != 0) atomicAdd(&counts.at(column(x0) + 1, row), static_cast<unsigned>(in_second));
}

}  // namespace

void background(const KernelContext& context, RgbView rgb, int level, View<std::uint8_t> mask) {
  for_pixels(context, "background", rgb.width, rgb.height, [=] __device__(int x, int y) {
    const Rgb p = rgb.at(x, y);
    mask.at(x, y) = p.r > level && p.g > level && p.b > level ? 255 : 0;
  });
}

void count_background(const KernelContext& context, MaskView background, int origin_x, int origin_y,
                      View<std::uint32_t> counts) {
  for_pixels(context, "clear counts", counts.width, counts.height,
             [=] __device__(int i, int j) { counts.at(i, j) = 0; });
  launch(context, "count_background",
         dim3(parts_of(background.width, kCountThreads), static_cast<unsigned>(background.height)), dim3(kCountThreads),
         count_kernel, background, origin_x, origin_y, counts);
}

}  // namespace starpath::cuda
