// Edges of each wanted object: the filters of the whole tile once, then a block an object.
#include "codelets/cuda/edge_planes.hpp"
#include "codelets/cuda/object_patch.hpp"

namespace starpath::cuda {
namespace {

/// The pixel's byte after one step: weak pixels beside a strong one of the same channel become strong.
__device__ std::uint8_t strengthened(const Patch& patch, int x, int y) {
  constexpr int weak = static_cast<int>(CannyClass::weak), strong = static_cast<int>(CannyClass::strong);
  const int byte = patch.bytes[y * patch.width + x];
  int result = byte;
  for (int shift = 2; shift <= 6; shift += 2) {
    if ((byte >> shift & 3) != weak) continue;
    bool beside = false;
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < patch.height; ++v)
      for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < patch.width; ++u)
        beside = beside || (patch.bytes[v * patch.width + u] >> shift & 3) == strong;
    if (beside) result = (result & ~(3 << shift)) | strong << shift;
  }
  return static_cast<std::uint8_t>(result);
}

/// Joins weak pixels to strong ones until nothing changes.
__device__ void join_edges(Patch& patch) {
  while (true) {
    bool changed = false;
    for_patch(patch, [&](int x, int y, int i) {
      patch.other[i] = strengthened(patch, x, y);
      changed = changed || patch.other[i] != patch.bytes[i];
    });
    const bool again = __syncthreads_or(changed) != 0;
    std::uint8_t* const old = patch.bytes;
    patch.bytes = patch.other;
    patch.other = old;
    if (!again) return;
  }
}

struct EdgeFamily {
  struct Sums {
    EdgeSums of[kRegionCount][kStainChannels];
    std::uint32_t pixels[kRegionCount];
  };
  View<const EdgePixel> planes;

  /// The patch's bytes get the CannyClass of channel c in bits 2 c + 2 and 2 c + 3.
  __device__ void add(const Objects&, Patch& patch, Sums& sums) const {
    Sums found{};
    for_patch(patch, [&](int x, int y, int i) {
      const int region = patch.bytes[i];
      if (region == 0) return;
      const EdgePixel pixel = planes.at(patch.x0 + x, patch.y0 + y);
      patch.bytes[i] = static_cast<std::uint8_t>(region | pixel.canny << 2);
      ++found.pixels[region - 1];
      for (int c = 0; c < kStainChannels; ++c) found.of[region - 1][c].sobel += pixel.sobel >> c & 1;
    });
    __syncthreads();
    join_edges(patch);
    for_patch(patch, [&](int, int, int i) {
      const int byte = patch.bytes[i], region = byte & 3;
      for (int c = 0; c < kStainChannels; ++c)
        if (region != 0 && (byte >> (2 * c + 2) & 3) == static_cast<int>(CannyClass::strong))
          ++found.of[region - 1][c].canny;
    });
    for (std::size_t region = 0; region < kRegionCount; ++region) {
      add_to(sums.pixels[region], found.pixels[region]);
      for (std::size_t c = 0; c < kStainChannels; ++c) {
        add_to(sums.of[region][c].canny, found.of[region][c].canny);
        add_to(sums.of[region][c].sobel, found.of[region][c].sobel);
      }
    }
  }

  __device__ void write(const Sums& sums, RowWork&, int warp, double* row) const {
    for_channels_of_warp(warp, [&](std::size_t region, std::size_t c) {
      if (threadIdx.x % 32 == 0)
        write_edges(sums.of[region][c], sums.pixels[region], row + channel_column(FeatureFamily::edges, region, c));
    });
  }
};

}  // namespace

void edge_features(const KernelContext& context, GrayView channels, View<const std::int32_t> labels,
                   std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, std::span<const MaskPlace>,
                   std::span<const std::uint64_t>, View<double> table) {
  if (boxes.empty()) return;
  const Scratch::Mark mark(context.scratch);
  measure_objects(context, "edge_features", labels, boxes, wanted, table, EdgeFamily{edge_planes(context, channels)});
}

}  // namespace starpath::cuda
