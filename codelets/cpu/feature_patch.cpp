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

constexpr std::size_t kCutStep = kPlaneSlack;  // pixels at once: vectors without rests

std::int32_t lower(std::uint64_t raised) {
  return static_cast<std::int32_t>(static_cast<std::int64_t>(raised & 0xffffffffU) - 3 * kRaise);
}

// In loops of their own: compilers take numbers that come from tables through vector registers one by one where they
// compute with them in the same loop.
void deconvolve(const Rgb* pixels, const PackedAmounts& table, std::uint8_t* haematoxylin, std::uint8_t* eosin,
                std::uint8_t* gray) {
  std::array<std::uint64_t, kCutStep> amounts;
  std::array<std::array<std::uint32_t, kCutStep>, 2> places;
  for (std::size_t i = 0; i < kCutStep; ++i)
    amounts[i] = table[0][pixels[i].r] + table[1][pixels[i].g] + table[2][pixels[i].b];
  for (std::size_t i = 0; i < kCutStep; ++i) {
    places[0][i] = static_cast<std::uint32_t>(place_of_amount(lower(amounts[i])));
    places[1][i] = static_cast<std::uint32_t>(place_of_amount(lower(amounts[i] >> 32)));
  }
  for (std::size_t i = 0; i < kCutStep; ++i) {
    haematoxylin[i] = kStainValueTable[places[0][i]];
    eosin[i] = kStainValueTable[places[1][i]];
  }
  for (std::size_t i = 0; i < kCutStep; ++i) gray[i] = gray_value(pixels[i]);
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

/// Marks the pixels within the ring's radius of the run [begin, end) in plane row y.
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

/// Turns the marks of near pixels into names of regions: ring and nucleus. `labels` are those of the planes.
void name_regions(const std::int32_t* __restrict labels, std::int32_t label, std::ptrdiff_t count,
                  std::uint8_t* __restrict regions) {
  constexpr auto nucleus = static_cast<std::uint8_t>(Region::nucleus);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const std::uint8_t ring = labels[i] == 0 ? regions[i] : std::uint8_t{0};
    regions[i] = labels[i] == label ? nucleus : ring;
  }
}

/// Copies the labels of the inside; 0 beside it.
void cut_labels(Patch& patch, View<const std::int32_t> labels) {
  const PatchFrame& f = patch.frame;
  const int inside = f.width - 2 * kFilterReach;
  for (int y = kFilterReach; y < f.height - kFilterReach; ++y) {
    std::int32_t* const row = patch.labels + f.row(y);
    std::fill_n(row, kFilterReach, 0);
    std::copy_n(labels.row(f.y0 + y) + f.x0 + kFilterReach, inside, row + kFilterReach);
    std::fill_n(row + kFilterReach + inside, kFilterReach, 0);
  }
}

/// Rows follow each other, and no nucleus lies in a plane's margins: a window over two rows holds nothing of it.
void count_quads(Patch& patch, const ObjectBox& box, ShapeSums& shape) {
  const PatchFrame& f = patch.frame;
  const std::ptrdiff_t begin = f.row(box.y0 - 1 - f.y0), count = f.row(box.y1 - box.y0 + 1);
  const std::uint8_t* const upper = patch.regions + begin;
  const std::uint8_t* const below = upper + f.width;
  std::uint8_t* __restrict quads = patch.quads;
  // Bits 0 to 2: how many of the four are of the nucleus; bit 3: upper left and lower right are alike.
  static_assert((static_cast<int>(Region::nucleus) & 1) == 1 && (static_cast<int>(Region::ring) & 1) == 0);
  for (std::ptrdiff_t i = 0; i < count; ++i) {
    const int set = (upper[i - 1] & 1) + (below[i - 1] & 1) + (upper[i] & 1) + (below[i] & 1);
    quads[i] = static_cast<std::uint8_t>(set | (~(upper[i - 1] ^ below[i]) & 1) << 3);
  }
  shape.quads_one = count_true(count, [quads](std::ptrdiff_t i) { return (quads[i] & 7) == 1; });
  shape.quads_side = count_true(count, [quads](std::ptrdiff_t i) { return quads[i] == 2; });
  shape.quads_diagonal = count_true(count, [quads](std::ptrdiff_t i) { return quads[i] == (2 | 8); });
  shape.quads_three = count_true(count, [quads](std::ptrdiff_t i) { return (quads[i] & 7) == 3; });
}

}  // namespace

PatchFrame::PatchFrame(const ObjectBox& box, int image_width, int image_height)
    : x0(std::max(0, box.x0 - kRingDistance) - kFilterReach),
      y0(std::max(0, box.y0 - kRingDistance) - kFilterReach),
      width(std::min(image_width, box.x1 + kRingDistance) + kFilterReach - x0),
      height(std::min(image_height, box.y1 + kRingDistance) + kFilterReach - y0) {}

Patch::Patch(Scratch& scratch, std::size_t largest, int tallest) {
  colours = take_plane<Rgb>(scratch, largest);
  labels = take_plane<std::int32_t>(scratch, largest);
  for (auto& channel : channels) channel = take_plane<std::uint8_t>(scratch, largest);
  for (auto* plane : {&regions, &quads}) *plane = take_plane<std::uint8_t>(scratch, largest);
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
    Rgb* const row = patch.colours + f.row(y);
    Rgb* const inside = std::fill_n(row, first - f.x0, rgb.at(first, std::clamp(f.y0 + y, 0, rgb.height - 1)));
    Rgb* const end = std::copy_n(rgb.row(std::clamp(f.y0 + y, 0, rgb.height - 1)) + first, last - first, inside);
    std::fill(end, row + f.width, end[-1]);
  }
  // The last step reaches beyond the planes, into their slack.
  for (std::size_t i = 0; i < f.size(); i += kCutStep)
    deconvolve(patch.colours + i, amounts, patch.channels[0] + i, patch.channels[1] + i, patch.channels[2] + i);
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
  cut_labels(patch, labels);
  for (int y = box.y0; y < box.y1; ++y) {
    const std::int32_t* row = patch.labels + f.row(y - f.y0);
    const int end = box.x1 - f.x0;
    for (int x = box.x0 - f.x0; x < end; ++x) {
      if (row[x] != label) continue;
      const int begin = x;
      while (x < end && row[x] == label) ++x;
      mark_near(patch, begin, x, y - f.y0);
      add_run(begin + f.x0 - box.x0, x + f.x0 - box.x0, y - box.y0, shape);
    }
  }
  const std::ptrdiff_t begin = f.begin(kFilterReach);
  name_regions(patch.labels + begin, label, f.end(kFilterReach) - begin, patch.regions + begin);
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
