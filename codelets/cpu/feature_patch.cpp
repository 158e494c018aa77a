// Cutting an object's patch out of the tile: stain images, regions and shape sums.
#include "codelets/cpu/feature_patch.hpp"

#include <algorithm>
#include <array>
#include <cstring>

#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/features.hpp"

namespace starpath::cpu {
namespace {

// Both stains' amounts in one number: haematoxylin in the low half, eosin in the high one, each raised so that sums of
// three stay positive and never carry.
constexpr std::int64_t kRaise = std::int64_t{1} << 27;

std::int32_t lower(std::uint64_t raised) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(raised & 0xffffffffU) - 3 * kRaise);
}

void deconvolve_row(const Rgb* source, int count, const PackedAmounts& table, std::uint8_t* haematoxylin,
                    std::uint8_t* eosin, std::uint8_t* gray) {
  for (int i = 0; i < count; ++i) {
    const Rgb p = source[i];
    const std::uint64_t amounts = table[0][p.r] + table[1][p.g] + table[2][p.b];
    haematoxylin[i] = stain_value(lower(amounts));
    eosin[i] = stain_value(lower(amounts >> 32));
  }
  for (int i = 0; i < count; ++i) gray[i] = gray_value(source[i]);
}

/// Half widths of the disc of the ring's radius, by abs(dy).
constexpr auto kDiscHalfWidth = [] {
  std::array<int, kRingDistance + 1> widths{};
  for (int dy = 0; dy <= kRingDistance; ++dy) {
    int& w = widths[static_cast<std::size_t>(dy)];
    while ((w + 1) * (w + 1) + dy * dy <= kRingDistance * kRingDistance) ++w;
  }
  return widths;
}();

/// Adds the run of object pixels [x0, x1) in row y (coordinates from the box's corner) to the moments.
void add_run(std::int64_t x0, std::int64_t x1, std::int64_t y, ShapeSums& s) {
  const auto below = [](std::int64_t n) { return n * (n - 1) / 2; };                        // 0 + 1 + ... + (n - 1)
  const auto squares_below = [](std::int64_t n) { return (n - 1) * n * (2 * n - 1) / 6; };  // their squares
  const std::int64_t count = x1 - x0, sum = below(x1) - below(x0);
  s.area += count;
  s.sum_x += sum;
  s.sum_y += count * y;
  s.sum_xx += squares_below(x1) - squares_below(x0);
  s.sum_xy += sum * y;
  s.sum_yy += count * y * y;
}

/// Marks what lies within the ring's radius of the run [begin, end) in plane row y.
void mark_near(Patch& patch, int begin, int end, int y) {
  const PatchFrame& f = patch.frame;
  for (int dy = -kRingDistance; dy <= kRingDistance; ++dy) {
    const int v = y + dy;
    if (v < kFilterReach || v >= f.height - kFilterReach) continue;
    const int half = kDiscHalfWidth[static_cast<std::size_t>(dy < 0 ? -dy : dy)];
    const int from = std::max(kFilterReach, begin - half), to = std::min(f.width - kFilterReach, end + half);
    patch.row_begin[v] = std::min(patch.row_begin[v], from);
    patch.row_end[v] = std::max(patch.row_end[v], to);
    std::memset(patch.regions + f.row(v) + from, static_cast<int>(Region::ring), static_cast<std::size_t>(to - from));
  }
}

/// From what is near the object to what is its ring and what is the nucleus itself.
void name_regions(const std::int32_t* __restrict labels, std::int32_t label, int count,
                  std::uint8_t* __restrict regions) {
  constexpr auto nucleus = static_cast<std::uint8_t>(Region::nucleus);
  for (int x = 0; x < count; ++x) {
    const std::uint8_t ring = labels[x] == 0 ? regions[x] : std::uint8_t{0};
    regions[x] = labels[x] == label ? nucleus : ring;
  }
}

void count_quads(const Patch& patch, const ObjectBox& box, ShapeSums& shape) {
  const PatchFrame& f = patch.frame;
  const auto nucleus = static_cast<std::uint8_t>(Region::nucleus);
  std::array<std::int32_t, 16> patterns{};
  for (int y = box.y0 - 1 - f.y0; y < box.y1 - f.y0; ++y) {
    const std::uint8_t* upper = patch.regions + f.row(y);
    const std::uint8_t* below = upper + f.width;
    unsigned pattern = 0;  // upper left 1, lower left 2, upper right 4, lower right 8
    for (int x = box.x0 - f.x0; x <= box.x1 - f.x0; ++x) {
      pattern = pattern >> 2 | (upper[x] == nucleus ? 4U : 0U) | (below[x] == nucleus ? 8U : 0U);
      ++patterns[pattern];
    }
  }
  shape.quads_one = patterns[1] + patterns[2] + patterns[4] + patterns[8];
  shape.quads_side = patterns[3] + patterns[5] + patterns[10] + patterns[12];
  shape.quads_diagonal = patterns[6] + patterns[9];
  shape.quads_three = patterns[7] + patterns[11] + patterns[13] + patterns[14];
}

}  // namespace

PatchFrame::PatchFrame(const ObjectBox& box, int image_width, int image_height)
    : x0(std::max(0, box.x0 - kRingDistance) - kFilterReach),
      y0(std::max(0, box.y0 - kRingDistance) - kFilterReach),
      width(std::min(image_width, box.x1 + kRingDistance) + kFilterReach - x0),
      height(std::min(image_height, box.y1 + kRingDistance) + kFilterReach - y0) {}

Patch::Patch(Scratch& scratch, std::size_t largest, int tallest) {
  for (auto& channel : channels) channel = take_plane<std::uint8_t>(scratch, largest);
  regions = take_plane<std::uint8_t>(scratch, largest);
  for (auto* ends : {&row_begin, &row_end})
    *ends = scratch.take<std::int32_t>(static_cast<std::size_t>(tallest)).data();
  for (auto& base : pair_base) base = take_plane<std::uint8_t>(scratch, largest);
}

PackedAmounts pack_amounts(const StainAmountTable& stains) {
  PackedAmounts table{};
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t v = 0; v < 256; ++v)
      table[channel][v] = static_cast<std::uint64_t>(stains[0][channel][v] + kRaise) |
                          static_cast<std::uint64_t>(stains[1][channel][v] + kRaise) << 32;
  return table;
}

void fill_channels(Patch& patch, RgbView rgb, const PackedAmounts& amounts) {
  const PatchFrame& f = patch.frame;
  const int first = std::max(0, f.x0), last = std::min(rgb.width, f.x0 + f.width);
  for (int y = 0; y < f.height; ++y) {
    const Rgb* source = rgb.row(std::clamp(f.y0 + y, 0, rgb.height - 1)) + first;
    const std::ptrdiff_t start = f.row(y), inside = start + first - f.x0, end = inside + last - first;
    deconvolve_row(source, last - first, amounts, patch.channels[0] + inside, patch.channels[1] + inside,
                   patch.channels[2] + inside);
    for (std::uint8_t* channel : patch.channels) {
      std::fill(channel + start, channel + inside, channel[inside]);
      std::fill(channel + end, channel + start + f.width, channel[end - 1]);
    }
  }
}

void fill_regions(Patch& patch, View<const std::int32_t> labels, const ObjectBox& box, std::int32_t label,
                  ShapeSums& shape) {
  const PatchFrame& f = patch.frame;
  shape = {};
  shape.box_width = box.x1 - box.x0;
  shape.box_height = box.y1 - box.y0;
  std::memset(patch.regions, 0, f.size());
  std::fill_n(patch.row_begin, f.height, f.width);
  std::fill_n(patch.row_end, f.height, 0);
  for (int y = box.y0; y < box.y1; ++y) {
    const std::int32_t* row = labels.row(y);
    for (int x = box.x0; x < box.x1; ++x) {
      if (row[x] != label) continue;
      const int begin = x;
      while (x < box.x1 && row[x] == label) ++x;
      mark_near(patch, begin - f.x0, x - f.x0, y - f.y0);
      add_run(begin - box.x0, x - box.x0, y - box.y0, shape);
    }
  }
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y)
    name_regions(labels.row(f.y0 + y) + (f.x0 + kFilterReach), label, f.width - 2 * kFilterReach,
                 patch.regions + f.row(y) + kFilterReach);
  count_quads(patch, box, shape);
}

void fill_pair_bases(Patch& patch) {
  const PatchFrame& f = patch.frame;
  for (int angle = 0; angle < 4; ++angle) {
    const std::uint8_t* regions = patch.regions;
    const std::uint8_t* partners = regions + pair_offset(f, angle);
    std::uint8_t* __restrict base = patch.pair_base[angle];
    const std::ptrdiff_t end = f.end(kFilterReach);
    for (std::ptrdiff_t i = f.begin(kFilterReach); i < end; ++i) {
      const std::uint8_t other = regions[i] == 1 ? std::uint8_t{0} : std::uint8_t{64};
      const std::uint8_t together = regions[i] == 0 ? std::uint8_t{128} : other;
      base[i] = regions[i] == partners[i] ? together : std::uint8_t{128};
    }
  }
}

}  // namespace starpath::cpu
