// Shape of each wanted object from rows of bits.
#include <bit>

#include "codelets/cpu/feature_patch.hpp"
#include "codelets/kernels/feature_row.hpp"

namespace starpath::cpu {
namespace {

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

/// Adds the pixels of a word whose first bit is column `x`.
void add_word(std::uint64_t bits, std::int64_t x, std::int64_t y, ShapeSums& shape) {
  while (bits != 0) {
    const int begin = std::countr_zero(bits), count = std::countr_one(bits >> begin);
    add_run(x + begin, x + begin + count, y, shape);
    if (begin + count == kWordBits) return;
    bits &= ~std::uint64_t{0} << (begin + count);
  }
}

/// Counts the 2 x 2 windows whose upper left pixel is in a word of `upper`; `right` of a word is the one on its right.
void count_quads(std::uint64_t upper, std::uint64_t upper_right, std::uint64_t lower, std::uint64_t lower_right,
                 ShapeSums& shape) {
  const std::uint64_t a = upper, b = upper >> 1 | upper_right << (kWordBits - 1);
  const std::uint64_t c = lower, d = lower >> 1 | lower_right << (kWordBits - 1);
  const std::uint64_t odd = a ^ b ^ c ^ d, row = (a & b) | (c & d);  // of three pixels, two are in one row
  shape.quads_one += std::popcount(odd & ~row);
  shape.quads_three += std::popcount(odd & row);
  shape.quads_side += std::popcount((a ^ d) & (b ^ c));
  shape.quads_diagonal += std::popcount(~(a ^ d) & ~(b ^ c) & (a ^ b));
}

ShapeSums shape_sums(const PatchRegions& regions, const ObjectBox& box) {
  ShapeSums shape{};
  shape.box_width = box.x1 - box.x0;
  shape.box_height = box.y1 - box.y0;
  const int words = regions.frame.words(), y0 = box.y0 - regions.frame.y0;
  for (int y = y0 - 1; y < y0 + shape.box_height; ++y) {
    const std::uint64_t* const upper = regions.nucleus + std::ptrdiff_t{words} * y;
    const std::uint64_t* const lower = upper + words;
    for (int w = 0; w < words; ++w) {
      const bool last = w + 1 == words;
      count_quads(upper[w], last ? 0 : upper[w + 1], lower[w], last ? 0 : lower[w + 1], shape);
      add_word(upper[w], std::int64_t{w} * kWordBits + regions.frame.x0 - box.x0, y - y0, shape);
    }
  }
  return shape;
}

}  // namespace

void shape_features(const KernelContext& context, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                    std::span<const std::uint8_t> wanted, std::span<const MaskPlace> places,
                    std::span<const std::uint64_t> masks, View<double> table) {
  const Scratch::Mark mark(context.scratch);
  const WantedObjects objects(labels, boxes, wanted, places, masks);
  if (objects.largest == 0) return;
  PatchRegions regions(context.scratch, objects);
  objects.for_each([&](const ObjectBox& box, std::int32_t label) {
    regions.take(objects, label);
    write_shape({shape_sums(regions, box), regions.pixels(1)}, table.row(label - 1));
  });
}

}  // namespace starpath::cpu
