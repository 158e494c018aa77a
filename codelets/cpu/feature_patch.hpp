// The pixels around one object, as the feature kernels work on them: a patch that stays in the cache.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "codelets/cpu/bits.hpp"
#include "codelets/kernels/feature_sums.hpp"
#include "codelets/kernels/features.hpp"

namespace starpath::cpu {

/// Geometry of a patch: the object's RingBox (the inside), and a margin of kFilterReach around it. All planes of a
/// patch share it, row after row without gaps, so that a filter is one loop over consecutive pixels. The values in the
/// left and right margins mix two rows, and nobody uses them.
struct PatchFrame {
  int x0 = 0, y0 = 0;  // image position of the plane's first pixel; may lie outside the image
  int width = 0, height = 0;

  PatchFrame() = default;
  PatchFrame(const ObjectBox& box, int image_width, int image_height);

  std::size_t size() const { return static_cast<std::size_t>(width) * static_cast<std::size_t>(height); }
  std::ptrdiff_t row(int y) const { return std::ptrdiff_t{width} * y; }
  int words() const { return words_for(width); }  // of a row of bits
  /// Range of the planes in which filters with a reach of `margin` rows have an answer.
  std::ptrdiff_t begin(int margin) const { return row(margin); }
  std::ptrdiff_t end(int margin) const { return row(height - margin); }
};

/// The objects that a kernel measures, and what the largest of their patches needs.
struct WantedObjects {
  View<const std::int32_t> labels;
  std::span<const ObjectBox> boxes;
  std::span<const std::uint8_t> wanted;
  std::span<const MaskPlace> places;  // of their masks
  std::span<const std::uint64_t> masks;
  std::size_t largest = 0;  // pixels; 0: there is no object
  std::size_t words = 0;    // of rows of bits
  int tallest = 0, widest = 0;

  WantedObjects(View<const std::int32_t> labels, std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted,
                std::span<const MaskPlace> places, std::span<const std::uint64_t> masks);
  /// Calls measure(box, label) for each of them.
  template <class Measure>
  void for_each(Measure measure) const {
    for (std::size_t i = 0; i < boxes.size(); ++i)
      if (wanted[i] != 0) measure(boxes[i], static_cast<std::int32_t>(i + 1));
  }
  /// Of the object after that of this label; empty after the last.
  PatchFrame frame_after(std::int32_t label) const {
    const auto next = static_cast<std::size_t>(label);
    return next < boxes.size() ? PatchFrame(boxes[next], labels.width, labels.height) : PatchFrame();
  }
};

/// Elements that may be read before and after each plane, and written after it.
inline constexpr std::size_t kPlaneSlack = kWordBits;

template <class T>
T* take_plane(Scratch& scratch, std::size_t size) {
  return scratch.take<T>(size + 2 * kPlaneSlack).data() + kPlaneSlack;
}

/// Which pixels of a patch are the nucleus and which its ring, in scratch memory.
struct PatchRegions {
  PatchFrame frame;
  std::uint64_t *nucleus, *ring;      // bits: frame.words() a row of the frame
  std::uint8_t* bytes;                // a plane: Region of each pixel; see spread()
  std::int32_t *row_begin, *row_end;  // columns of each row that hold the nucleus and its ring; see spread()

  PatchRegions(Scratch& scratch, const WantedObjects& objects);

  /// Takes the object of this label from its masks, or finds it where it has none.
  void take(const WantedObjects& objects, std::int32_t label);
  void find(View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label);
  /// Fills bytes, row_begin and row_end from the bits.
  void spread();
  /// How many pixels the nucleus (0) or the ring (1) has.
  std::int64_t pixels(std::size_t region) const;

 private:
  std::int32_t* label_row_;  // a row of the frame, padded to whole words
};

/// Copies the frame's pixels into a plane, continued over the image's borders.
void cut_channel(const PatchFrame& frame, GrayView channel, std::uint8_t* plane);

/// The three channels of a patch, in scratch memory.
struct PatchChannels {
  std::array<std::uint8_t*, kStainChannels> planes;

  PatchChannels(Scratch& scratch, const WantedObjects& objects) {
    for (auto& plane : planes) plane = take_plane<std::uint8_t>(scratch, objects.largest);
  }
  /// Cuts the patch of the object of this label, and asks for the pixels of the next, which are far away.
  void cut(const PatchFrame& frame, GrayView channels, const WantedObjects& objects, std::int32_t label) {
    const PatchFrame next = objects.frame_after(label);
    for (int c = 0; c < kStainChannels; ++c) {
      const GrayView channel = channel_of(channels, c);
      cut_channel(frame, channel, planes[static_cast<std::size_t>(c)]);
      for (int y = std::max(0, next.y0); y < std::min(channel.height, next.y0 + next.height); ++y)
        for (const int x : {next.x0, next.x0 + next.width - 1}) __builtin_prefetch(channel.row(y) + std::max(0, x));
    }
  }
};

/// Calls measure(regions, channels, label) with the patch of each wanted object.
template <class Measure>
void for_each_patch(Scratch& scratch, GrayView channels, const WantedObjects& objects, Measure measure) {
  PatchRegions regions(scratch, objects);
  PatchChannels patch(scratch, objects);
  objects.for_each([&](const ObjectBox&, std::int32_t label) {
    regions.take(objects, label);
    regions.spread();
    patch.cut(regions.frame, channels, objects, label);
    measure(std::as_const(regions), std::as_const(patch), label);
  });
}

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

}  // namespace starpath::cpu
