// Cutting an object's patch out of the tile. Nucleus and ring are found as rows of bits, 64 pixels at once.
#include "codelets/cpu/feature_patch.hpp"

#include <cstring>

namespace starpath::cpu {
namespace {

/// Half widths of the disc of the ring's radius, by abs(dy).
constexpr auto kDiscHalfWidth = [] {
  std::array<int, kRingDistance + 1> widths{};
  for (int dy = 0; dy <= kRingDistance; ++dy) {
    int& w = widths[static_cast<std::size_t>(dy)];
    while ((w + 1) * (w + 1) + dy * dy <= kRingDistance * kRingDistance) ++w;
  }
  return widths;
}();

/// Adds to the rows of bits at `near` what lies within the ring's radius of the pixels in word `w` of row y.
void mark_near(const PatchFrame& f, const std::uint64_t* row, int w, int y, std::uint64_t* near) {
  const int words = f.words();
  const std::uint64_t before = w == 0 ? 0 : row[w - 1], here = row[w], after = w + 1 == words ? 0 : row[w + 1];
  if ((before | here | after) == 0) return;
  std::array<std::uint64_t, kRingDistance + 1> widened;  // by so many pixels to both sides
  widened[0] = here;
  for (int k = 1; k <= kRingDistance; ++k)
    widened[static_cast<std::size_t>(k)] = widened[static_cast<std::size_t>(k - 1)] | here << k |
                                           before >> (kWordBits - k) | here >> k | after << (kWordBits - k);
  const int first = std::max(kFilterReach, y - kRingDistance),
            last = std::min(f.height - kFilterReach - 1, y + kRingDistance);
  for (int v = first; v <= last; ++v)
    near[std::ptrdiff_t{words} * v + w] |=
        widened[static_cast<std::size_t>(kDiscHalfWidth[static_cast<std::size_t>(v < y ? y - v : v - y)])];
}

/// spread[bits]: a byte for each of eight bits, 0 or 1.
constexpr auto kSpread = [] {
  std::array<std::array<std::uint8_t, 8>, 256> spread{};
  for (std::size_t bits = 0; bits < spread.size(); ++bits)
    for (std::size_t i = 0; i < 8; ++i) spread[bits][i] = static_cast<std::uint8_t>(bits >> i & 1);
  return spread;
}();

std::uint64_t spread_byte(std::uint64_t bits) { return std::bit_cast<std::uint64_t>(kSpread[bits & 255]); }

}  // namespace

PatchFrame::PatchFrame(const ObjectBox& box, int image_width, int image_height) {
  const RingBox around(box, image_width, image_height);
  x0 = around.x0 - kFilterReach;
  y0 = around.y0 - kFilterReach;
  width = around.width() + 2 * kFilterReach;
  height = around.height() + 2 * kFilterReach;
}

WantedObjects::WantedObjects(View<const std::int32_t> all_labels, std::span<const ObjectBox> all_boxes,
                             std::span<const std::uint8_t> wanted_ones, std::span<const MaskPlace> mask_places,
                             std::span<const std::uint64_t> all_masks)
    : labels(all_labels), boxes(all_boxes), wanted(wanted_ones), places(mask_places), masks(all_masks) {
  for_each([&](const ObjectBox& box, std::int32_t) {
    const PatchFrame frame(box, labels.width, labels.height);
    largest = std::max(largest, frame.size());
    words = std::max(words, static_cast<std::size_t>(frame.words()) * static_cast<std::size_t>(frame.height));
    tallest = std::max(tallest, frame.height);
    widest = std::max(widest, frame.width);
  });
}

PatchRegions::PatchRegions(Scratch& scratch, const WantedObjects& objects) {
  for (auto* bits : {&nucleus, &ring}) *bits = scratch.take<std::uint64_t>(objects.words).data();
  bytes = take_plane<std::uint8_t>(scratch, objects.largest);
  for (auto* ends : {&row_begin, &row_end})
    *ends = scratch.take<std::int32_t>(static_cast<std::size_t>(objects.tallest)).data();
  label_row_ =
      scratch.take<std::int32_t>(static_cast<std::size_t>(words_for(objects.widest)) * std::size_t{kWordBits}).data();
}

void PatchRegions::take(const WantedObjects& objects, std::int32_t label) {
  const auto object = static_cast<std::size_t>(label - 1);
  if (objects.places[object] == kNoMasks) return find(objects.labels, objects.boxes[object], label);
  frame = PatchFrame(objects.boxes[object], objects.labels.width, objects.labels.height);
  const int margin = frame.words() * kFilterReach, inside = frame.words() * frame.height - 2 * margin;
  const std::uint64_t* from = objects.masks.data() + objects.places[object];
  for (std::uint64_t* to : {nucleus, ring}) {
    std::fill_n(to, margin, 0);
    std::fill_n(std::copy_n(from, inside, to + margin), margin, 0);
    from += inside;
  }
}

void PatchRegions::find(View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label) {
  frame = PatchFrame(box, labels.width, labels.height);
  const PatchFrame& f = frame;
  const int words = f.words();
  const std::ptrdiff_t all = std::ptrdiff_t{words} * f.height;
  std::fill_n(nucleus, all, 0);
  std::fill_n(ring, all, 0);
  // Rows of labels are looked at where they lie, unless whole words reach over the image's border.
  const bool within = f.x0 >= 0 && f.x0 + words * kWordBits <= labels.width;
  if (!within) std::fill_n(label_row_, words * kWordBits, -1);  // beyond the border: neither nucleus nor background
  const auto row_at = [&](int y) {
    const std::int32_t* const row = labels.row(f.y0 + y) + f.x0;
    if (within) return row;
    std::copy_n(row + kFilterReach, f.width - 2 * kFilterReach, label_row_ + kFilterReach);
    return static_cast<const std::int32_t*>(label_row_);
  };
  for (int y = box.y0 - f.y0; y < box.y1 - f.y0; ++y) {
    std::uint64_t* const bits = nucleus + std::ptrdiff_t{words} * y;
    const auto is_nucleus = [row = row_at(y), label](int x) { return row[x] == label; };
    pack_bits(words * kWordBits, is_nucleus, bits);
    for (int w = 0; w < words; ++w) mark_near(f, bits, w, y, ring);
  }
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y) {
    std::uint64_t* const near = ring + std::ptrdiff_t{words} * y;
    const std::int32_t* const row = row_at(y);
    for (int w = 0; w < words; ++w) {
      if (near[w] == 0) continue;
      std::uint64_t background = 0;
      const auto is_background = [part = row + std::ptrdiff_t{kWordBits} * w](int x) { return part[x] == 0; };
      pack_bits(kWordBits, is_background, &background);
      near[w] &= background;
    }
  }
}

void PatchRegions::spread() {
  const int words = frame.words();
  for (int y = 0; y < frame.height; ++y) {
    std::uint8_t* const row = bytes + frame.row(y);
    int begin = frame.width, end = 0;
    for (int w = 0; w < words; ++w) {
      const std::ptrdiff_t at = std::ptrdiff_t{words} * y + w;
      const std::uint64_t is_nucleus = nucleus[at], is_ring = ring[at], any = is_nucleus | is_ring;
      // A row's last step reaches into the next row, which is written after it, or into the slack.
      for (int x = 0; x < kWordBits && w * kWordBits + x < frame.width; x += 8) {
        const std::uint64_t eight = spread_byte(is_nucleus >> x) | spread_byte(is_ring >> x) << 1;
        std::memcpy(row + w * kWordBits + x, &eight, sizeof eight);
      }
      if (any == 0) continue;
      begin = std::min(begin, w * kWordBits + std::countr_zero(any));
      end = (w + 1) * kWordBits - std::countl_zero(any);
    }
    row_begin[y] = begin;
    row_end[y] = end;
  }
}

std::int64_t PatchRegions::pixels(std::size_t region) const {
  const std::uint64_t* const bits = region == 0 ? nucleus : ring;
  std::int64_t count = 0;
  for (std::ptrdiff_t i = 0; i < std::ptrdiff_t{frame.words()} * frame.height; ++i) count += std::popcount(bits[i]);
  return count;
}

void cut_channel(const PatchFrame& f, GrayView channel, std::uint8_t* plane) {
  const int rounded = words_for(f.width) * kWordBits;
  const bool within = f.x0 >= 0 && f.x0 + rounded <= channel.width;
  const int first = std::max(0, f.x0), last = std::min(channel.width, f.x0 + f.width);
  for (int y = 0; y < f.height; ++y) {
    const std::uint8_t* const from = channel.row(std::clamp(f.y0 + y, 0, channel.height - 1));
    std::uint8_t* const to = plane + f.row(y);
    if (within) {  // whole words are faster; what is too much is overwritten by the next row, or lies in the slack
      for (int x = 0; x < rounded; x += kWordBits) std::memcpy(to + x, from + f.x0 + x, kWordBits);
      continue;
    }
    std::uint8_t* const inside = std::fill_n(to, first - f.x0, from[first]);
    std::uint8_t* const end = std::copy_n(from + first, last - first, inside);
    std::fill(end, to + f.width, end[-1]);
  }
}

}  // namespace starpath::cpu
