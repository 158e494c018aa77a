// Operation 11: which pixels are a nucleus and which its ring, found once for all families of features.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/host_device.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The ring of a nucleus: the pixels whose centre lies within this distance of the centre of one of its pixels and that
/// belong to no nucleus at all.
inline constexpr int kRingDistance = 8;

/// Where a nucleus and its ring lie: the object's box grown by the ring and clipped to the image.
struct RingBox {
  int x0, y0, x1, y1;  // x1 and y1 one past the last

  STARPATH_HD RingBox(const ObjectBox& box, int image_width, int image_height)
      : x0(box.x0 > kRingDistance ? box.x0 - kRingDistance : 0),
        y0(box.y0 > kRingDistance ? box.y0 - kRingDistance : 0),
        x1(box.x1 + kRingDistance < image_width ? box.x1 + kRingDistance : image_width),
        y1(box.y1 + kRingDistance < image_height ? box.y1 + kRingDistance : image_height) {}
  STARPATH_HD int width() const { return x1 - x0; }
  STARPATH_HD int height() const { return y1 - y0; }

  /// A region of an object is kept as a mask: a bit a pixel, in rows of whole words of 64 bits. Pixel x of the RingBox
  /// is bit x + kFilterReach of its row, so that filters find room on its left. The mask of the ring follows that of
  /// the nucleus.
  STARPATH_HD int words_a_row() const { return (width() + 2 * kFilterReach + 63) / 64; }
  STARPATH_HD std::int64_t words_a_mask() const { return std::int64_t{words_a_row()} * height(); }
};

/// The first word of an object's masks, or kNoMasks for an object without: it is not wanted, or its masks found no
/// room. A nucleus without masks is found anew by every family.
using MaskPlace = std::int64_t;
inline constexpr MaskPlace kNoMasks = -1;

/// How many words are kept for the masks of an image of this many pixels: a byte a pixel.
constexpr std::size_t mask_words(std::int64_t pixels) { return static_cast<std::size_t>(pixels + 7) / 8; }

/// Gives each wanted object of an image of this size a place among `words` words, in their order, while there is room.
inline void place_masks(std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, int width, int height,
                        std::size_t words, std::span<MaskPlace> places) {
  std::int64_t next = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    places[i] = kNoMasks;
    if (wanted[i] == 0) continue;
    const std::int64_t both = 2 * RingBox(boxes[i], width, height).words_a_mask();
    if (next + both > static_cast<std::int64_t>(words)) continue;
    places[i] = next;
    next += both;
  }
}

STARPATH_DECLARE_KERNEL(
    /// Writes the masks of each object with a place, from masks[places[label - 1]] on; other words are left alone.
    /// `boxes` are object_boxes(labels). Labels 1..boxes.size() are nuclei and 0 is background.
    void nucleus_regions(const KernelContext& context, View<const std::int32_t> labels,
                         std::span<const ObjectBox> boxes, std::span<const MaskPlace> places,
                         std::span<std::uint64_t> masks))

}  // namespace starpath
