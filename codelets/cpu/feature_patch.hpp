// The pixels around one object, as the feature kernel works on them.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/cpu/bits.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath::cpu {

/// Geometry of a patch: the object's box grown by the ring and clipped to the image (the inside), and a margin of
/// kFilterReach around it. All planes of a patch share it, row after row without gaps, so that a filter is one loop
/// over consecutive pixels. The values in the left and right margins mix two rows, and nobody uses them.
struct PatchFrame {
  int x0 = 0, y0 = 0;  // image position of the plane's first pixel; may lie outside the image
  int width = 0, height = 0;

  PatchFrame() = default;
  PatchFrame(const ObjectBox& box, int image_width, int image_height);

  std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  std::ptrdiff_t row(int y) const { return std::ptrdiff_t{width} * y; }
  /// Range of the planes in which filters with a reach of `margin` rows have an answer.
  std::ptrdiff_t begin(int margin) const { return row(margin); }
  std::ptrdiff_t end(int margin) const { return row(height - margin); }
};

/// Planes of one patch, in scratch memory, with slack before and after each. Pixels and labels are cut out of the tile,
/// so that the loops over them have no ends of rows.
struct Patch {
  PatchFrame frame;
  Rgb* colours;
  std::int32_t* labels;
  std::uint8_t* channels[3];   // haematoxylin, eosin, gray
  std::uint8_t* regions;       // Region of each pixel
  std::uint8_t* quads;         // 2x2 windows of the nucleus
  std::uint8_t* pair_base[4];  // see fill_pair_bases

  std::int32_t *row_begin, *row_end;  // columns of each row that hold the nucleus and its ring

  /// Memory for frames of up to `largest` pixels and `tallest` rows.
  Patch(Scratch& scratch, std::size_t largest, int tallest);
};

/// Elements that may be read before and after each plane, and written after it.
inline constexpr std::size_t kPlaneSlack = kWordBits;

template <class T>
T* take_plane(Scratch& scratch, std::size_t size) {
  return scratch.take<T>(size + 2 * kPlaneSlack).data() + kPlaneSlack;
}

/// A StainAmountTable with both stains' amounts in one number.
using PackedAmounts = std::array<std::array<std::uint64_t, 256>, 3>;
PackedAmounts pack_amounts(const StainAmountTable& stains);

/// Deconvolves the frame's pixels, continued over the image's borders.
void fill_channels(Patch& patch, RgbView rgb, const PackedAmounts& amounts);

/// Finds nucleus and ring and the sums of the nucleus' shape.
void fill_regions(Patch& patch, View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label,
                  ShapeSums& shape);

/// How many of test(0) to test(count - 1) hold. The test is asked of up to kPlaneSlack - 1 places beyond, too.
template <class Test>
std::int64_t count_true(std::ptrdiff_t count, Test test) {
  std::int64_t found = 0;
  for (std::ptrdiff_t begin = 0; begin < count; begin += kWordBits) {
    alignas(kWordBits) std::uint8_t flags[kWordBits];
    for (int i = 0; i < kWordBits; ++i) flags[i] = test(begin + i) ? 255 : 0;
    const std::ptrdiff_t beyond = std::max<std::ptrdiff_t>(0, begin + kWordBits - count);
    found += std::popcount(top_bits(flags) << beyond);
  }
  return found;
}

/// Offsets of the partners of a pixel in the co-occurrence matrix: right, lower right, below, lower left.
inline std::ptrdiff_t pair_offset(const PatchFrame& frame, int angle) {
  const std::ptrdiff_t offsets[4] = {1, frame.width + 1, frame.width, frame.width - 1};
  return offsets[angle];
}

/// pair_base[angle][i] = 0 or 64 when pixel i and its partner both lie in the nucleus or both in the ring, else 128.
void fill_pair_bases(Patch& patch);

}  // namespace starpath::cpu
