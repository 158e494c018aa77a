// Mean of each block: a warp a block, its lanes along the rows.
#include "codelets/cuda/warp.hpp"
#include "codelets/kernels/area_average.hpp"

namespace starpath::cuda {
namespace {

constexpr int kWarps = 4;  // of a thread block

__global__ void __launch_bounds__(32 * kWarps) average_kernel(RgbView rgb, View<Rgb> out) {
  const int i = static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.y), j = static_cast<int>(blockIdx.y);
  if (i >= out.width) return;  // whole warps
  const int wide = rgb.width / out.width, high = rgb.height / out.height, pixels = wide * high;
  std::uint32_t r = 0, g = 0, b = 0;
  for (int k = static_cast<int>(threadIdx.x); k < pixels; k += 32) {
    const Rgb p = rgb.at(i * wide + k % wide, j * high + k / wide);
    r += p.r, g += p.g, b += p.b;
  }
  r = warp_sum(r), g = warp_sum(g), b = warp_sum(b);
  if (threadIdx.x != 0) return;
  const auto mean = [=](std::uint32_t sum) {
    const auto count = static_cast<std::uint32_t>(pixels);
    return static_cast<std::uint8_t>((sum + count / 2) / count);
  };
  out.at(i, j) = {mean(r), mean(g), mean(b)};
}

}  // namespace

void area_average(const KernelContext& context, RgbView rgb, View<Rgb> out) {
  launch(context, "area_average", dim3(parts_of(out.width, kWarps), static_cast<unsigned>(out.height)),
         dim3(32, kWarps), average_kernel, rgb, out);
}

}  // namespace starpath::cuda
