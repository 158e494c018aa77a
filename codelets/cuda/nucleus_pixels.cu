// Sums of the surroundings, along rows and then along columns.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"

namespace starpath::cuda {

void nucleus_pixels(const KernelContext& context, GrayView difference, int level, int reach, int weight,
                    View<std::uint8_t> mask) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width, height = mask.height;
  const View<std::uint16_t> across = take_image<std::uint16_t>(context, difference);
  for_pixels(context, "sum along rows", width, height, [=] __device__(int x, int y) {
    int sum = 0;
    for (int u = x > reach ? x - reach : 0; u <= x + reach && u < width; ++u) sum += difference.at(u, y);
    across.at(x, y) = static_cast<std::uint16_t>(sum);
  });
  for_pixels(context, "nucleus_pixels", width, height, [=] __device__(int x, int y) {
    const int left = x > reach ? x - reach : 0, right = x + reach < width ? x + reach : width - 1;
    const int top = y > reach ? y - reach : 0, bottom = y + reach < height ? y + reach : height - 1;
    const int here = difference.at(x, y);
    int sum = 0;
    for (int v = top; here > level && v <= bottom; ++v) sum += across.at(x, v);
    const int pixels = (right - left + 1) * (bottom - top + 1);
    mask.at(x, y) = is_nucleus_pixel(here, sum, pixels, level, weight) ? 255 : 0;
  });
}

}  // namespace starpath::cuda
