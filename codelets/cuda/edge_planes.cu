// Canny's edge test and Sobel of a whole tile, by blocks in shared memory.
#include <array>

#include "codelets/cuda/edge_planes.hpp"
#include "codelets/kernels/edge_filters.hpp"

namespace starpath::cuda {
namespace {

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

constexpr int kPlane = kValuesWidth * kValuesHeight;

/// values = a plane for each channel, of the block's pixels and those around them.
template <class Values>
__device__ void load_values(GrayView channels, int x0, int y0, int thread, Values& values) {
  for (int c = 0; c < kStainChannels; ++c) {
    const GrayView channel = channel_of(channels, c);
    for (int i = thread; i < kPlane; i += kColumns * kRows)
      values[c * kPlane + i] = channel.at(inside(x0 + i % kValuesWidth - kFilterReach, channel.width),
                                          inside(y0 + i / kValuesWidth - kFilterReach, channel.height));
  }
}

__global__ void __launch_bounds__(kColumns* kRows) planes_kernel(GrayView channels, View<EdgePixel> planes) {
  STARPATH_SHARED(std::uint8_t, values, 3 * kValuesWidth * kValuesHeight);
  STARPATH_SHARED(Derivatives, slopes, kStrengthsWidth * kStrengthsHeight);
  constexpr std::array<int, 5> derive = kDerivative5, smooth = kSmoothing5;
  constexpr std::array<int, 7> wide = kDerivative7;
  const int x0 = static_cast<int>(blockIdx.x) * kColumns, y0 = static_cast<int>(blockIdx.y) * kRows;
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
  const int thread = ty * kColumns + tx;
  load_values(channels, x0, y0, thread, values);
  __syncthreads();
  EdgePixel result{};
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
    result.canny = static_cast<std::uint8_t>(result.canny |
                                             static_cast<int>(canny_class(strengths, centre.dx, centre.dy)) << 2 * c);
    if (convolve(p, wide, wide) > 0) result.sobel = static_cast<std::uint8_t>(result.sobel | 1 << c);
    __syncthreads();  // slopes are the next channel's
  }
  if (planes.contains(x0 + tx, y0 + ty)) planes.at(x0 + tx, y0 + ty) = result;
}

}  // namespace

View<const EdgePixel> edge_planes(const KernelContext& context, GrayView channels) {
  const View<EdgePixel> planes = take_image<EdgePixel>(context, channel_of(channels, 0));
  launch(context, "edge_planes", dim3(parts_of(planes.width, kColumns), parts_of(planes.height, kRows)),
         dim3(kColumns, kRows), planes_kernel, channels, planes);
  return planes;
}

}  // namespace starpath::cuda
