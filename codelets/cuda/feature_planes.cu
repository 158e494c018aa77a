// Colour deconvolution, gradient, Canny's edge test and Sobel of a whole tile, by blocks in shared memory.
#include <array>
#include <cmath>

#include "codelets/cuda/feature_planes.hpp"
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/edge_filters.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr StainValueTable kValueTable = kStainValueTable;

constexpr int kColumns = 32, kRows = 16;  // of a block, one thread a pixel
constexpr int kValuesWidth = kColumns + 2 * kFilterReach, kValuesHeight = kRows + 2 * kFilterReach;
constexpr int kStrengthsWidth = kColumns + 2, kStrengthsHeight = kRows + 2;

struct Derivatives {
  std::int16_t dx, dy;
};

/// The pixel that stands for (x, y), which may lie outside the image.
STARPATH_HD constexpr int inside(int x, int size) { return x < 0 ? 0 : x >= size ? size - 1 : x; }

/// sum of x_taps[i] * y_taps[j] * the value at (i, j) from p, taps counted from the middle.
template <std::size_t taps>
__device__ int convolve(const std::uint8_t* p, const std::array<int, taps>& x_taps,
                        const std::array<int, taps>& y_taps) {
  constexpr int reach = static_cast<int>(taps) / 2;
  int sum = 0;
  for (int j = -reach; j <= reach; ++j) {
    int row = 0;
    for (int i = -reach; i <= reach; ++i) row += x_taps[static_cast<std::size_t>(i + reach)] * p[j * kValuesWidth + i];
    sum += y_taps[static_cast<std::size_t>(j + reach)] * row;
  }
  return sum;
}

/// gradient_magnitude without its loop: below 2^18 no root that is not itself an odd integer comes as close to one as a
/// float rounds (cpu/feature_filters.cpp).
__device__ std::uint8_t gradient(int gx, int gy) {
  return static_cast<std::uint8_t>(std::sqrt(static_cast<float>(gx * gx + gy * gy)) * 0.5F + 0.5F);
}

constexpr int kPlane = kValuesWidth * kValuesHeight;

/// values = haematoxylin, eosin and gray, a plane each, of the block's pixels and those around them.
template <class Values>
__device__ void load_values(RgbView rgb, const StainAmountTable& stains, int x0, int y0, int thread, Values& values) {
  for (int i = thread; i < kPlane; i += kColumns * kRows) {
    const Rgb p = rgb.at(inside(x0 + i % kValuesWidth - kFilterReach, rgb.width),
                         inside(y0 + i / kValuesWidth - kFilterReach, rgb.height));
    const StainValues v = stain_values(p, stains, kValueTable);
    values[i] = v.haematoxylin;
    values[kPlane + i] = v.eosin;
    values[2 * kPlane + i] = v.gray;
  }
}

__global__ void __launch_bounds__(kColumns* kRows)
    planes_kernel(RgbView rgb, const StainAmountTable* stains, FeaturePixel* planes) {
  STARPATH_SHARED(std::uint8_t, values, 3 * kValuesWidth * kValuesHeight);
  STARPATH_SHARED(Derivatives, slopes, kStrengthsWidth * kStrengthsHeight);
  constexpr std::array<int, 5> derive = kDerivative5, smooth = kSmoothing5;
  constexpr std::array<int, 7> wide = kDerivative7;
  const int x0 = static_cast<int>(blockIdx.x) * kColumns, y0 = static_cast<int>(blockIdx.y) * kRows;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int thread = ty * kColumns + tx;
  load_values(rgb, *stains, x0, y0, thread, values);
  __syncthreads();
  FeaturePixel result{};
  for (int c = 0; c < 3; ++c) {
    const std::uint8_t* const channel = static_cast<const std::uint8_t*>(values) + c * kPlane;
    for (int i = thread; i < kStrengthsWidth * kStrengthsHeight; i += kColumns * kRows) {
      const std::uint8_t* const p =
          channel + (i / kStrengthsWidth + kFilterReach - 1) * kValuesWidth + i % kStrengthsWidth + kFilterReach - 1;
      slopes[i] = {static_cast<std::int16_t>(convolve(p, derive, smooth)),
                   static_cast<std::int16_t>(convolve(p, smooth, derive))};
    }
    __syncthreads();
    CannyStrengths strengths{};
    Derivatives centre{};
    for (int j = 0; j < 3; ++j)
      for (int i = 0; i < 3; ++i) {
        const Derivatives d = slopes[(ty + j) * kStrengthsWidth + tx + i];
        strengths[static_cast<std::size_t>(j)][static_cast<std::size_t>(i)] =
            (d.dx < 0 ? -d.dx : d.dx) + (d.dy < 0 ? -d.dy : d.dy);
        if (i == 1 && j == 1) centre = d;
      }
    const std::uint8_t* const p = channel + (ty + kFilterReach) * kValuesWidth + tx + kFilterReach;
    result.value[c] = *p;
    result.gradient[c] = gradient(p[1] - p[-1], p[kValuesWidth] - p[-kValuesWidth]);
    result.canny = static_cast<std::uint8_t>(result.canny |
                                             static_cast<int>(canny_class(strengths, centre.dx, centre.dy)) << 2 * c);
    if (convolve(p, wide, wide) > 0) result.sobel = static_cast<std::uint8_t>(result.sobel | 1 << c);
    __syncthreads();  // slopes are the next channel's
  }
  if (rgb.contains(x0 + tx, y0 + ty)) planes[std::ptrdiff_t{y0 + ty} * rgb.width + x0 + tx] = result;
}

}  // namespace

const FeaturePixel* feature_planes(const KernelContext& context, RgbView rgb, const StainAmountTable* stains) {
  FeaturePixel* const planes = take_image<FeaturePixel>(context, rgb).data;
  launch(context, "feature_planes", dim3(parts_of(rgb.width, kColumns), parts_of(rgb.height, kRows)),
         dim3(kColumns, kRows), planes_kernel, rgb, stains, planes);
  return planes;
}

}  // namespace starpath::cuda
