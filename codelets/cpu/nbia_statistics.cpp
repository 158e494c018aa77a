// Colour conversion and statistics of NBIA, a row at a time: conversions, pair codes and pattern codes are loops
// without branches that the compiler turns into vectors; only the counting of the codes goes one by one.
#include "codelets/kernels/nbia_statistics.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace starpath::cpu {
namespace {

/// Counts of byte values in four tables: the same value twice in a row would otherwise wait for its own increment.
class CodeCounts {
 public:
  explicit CodeCounts(Scratch& scratch) : tables_(scratch.take<std::uint32_t>(4 * 256).data()) {
    std::fill_n(tables_, 4 * 256, 0U);
  }
  void add(const std::uint8_t* codes, int count) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
      std::uint64_t eight;
      std::memcpy(&eight, codes + i, 8);
      for (unsigned k = 0; k < 8; ++k) ++tables_[k % 4 * 256 + (eight >> 8 * k & 255)];
    }
    for (; i < count; ++i) ++tables_[codes[i]];
  }
  std::uint32_t total(std::size_t code) const {
    return tables_[code] + tables_[256 + code] + tables_[512 + code] + tables_[768 + code];
  }

 private:
  std::uint32_t* tables_;
};

/// The values that are kept of one row.
struct Row {
  std::int32_t* light;
  std::array<std::uint8_t*, 3> levels;

  Row(Scratch& scratch, std::size_t width) : light(scratch.take<std::int32_t>(width).data()) {
    for (std::uint8_t*& level : levels) level = scratch.take<std::uint8_t>(width).data();
  }
};

/// Converts rows of pixels.
class Converter {
 public:
  Converter(Scratch& scratch, int width) : width_(width) {
    for (std::uint32_t*& channel : linear_)
      channel = scratch.take<std::uint32_t>(static_cast<std::size_t>(width)).data();
  }

  /// Fills `row`; returns how many pixels are glass.
  std::uint32_t convert(const Rgb* pixels, const Row& row) {
    const LabTables& tables = kLabTables;
    std::uint32_t* __restrict r = linear_[0];
    std::uint32_t* __restrict g = linear_[1];
    std::uint32_t* __restrict b = linear_[2];
    for (int x = 0; x < width_; ++x) {
      r[x] = tables.linear[pixels[x].r];
      g[x] = tables.linear[pixels[x].g];
      b[x] = tables.linear[pixels[x].b];
    }
    std::int32_t* __restrict light = row.light;
    std::uint8_t* __restrict l = row.levels[0];
    std::uint8_t* __restrict a = row.levels[1];
    std::uint8_t* __restrict beta = row.levels[2];
    std::uint32_t glass = 0;
    for (int x = 0; x < width_; ++x) {
      const auto f = [&](const std::uint32_t(&weights)[3]) {
        return lab_f(tables, weights[0] * r[x] + weights[1] * g[x] + weights[2] * b[x]);
      };
      const Lab lab = lab_of_f(f(kLabTables.white[0]), f(kLabTables.white[1]), f(kLabTables.white[2]));
      const NbiaPixel pixel = nbia_pixel(lab);
      light[x] = lab.l;
      l[x] = pixel.levels[0];
      a[x] = pixel.levels[1];
      beta[x] = pixel.levels[2];
      glass += pixel.glass;
    }
    return glass;
  }

 private:
  int width_;
  std::array<std::uint32_t*, 3> linear_{};
};

/// Counts the pairs of `count` pixels with those at the same index of `there`.
void count_pairs(const std::uint8_t* here, const std::uint8_t* there, int count, std::uint8_t* __restrict codes,
                 CodeCounts& counts) {
  for (int x = 0; x < count; ++x) codes[x] = static_cast<std::uint8_t>(here[x] << 4 | there[x]);
  counts.add(codes, count);
}

/// Counts the patterns of the inner pixels of the middle one of three rows.
void count_patterns(const Row& above, const Row& middle, const Row& below, int width, std::uint8_t* __restrict codes,
                    CodeCounts& counts) {
  const std::int32_t *up = above.light, *row = middle.light, *down = below.light;
  for (int x = 1; x + 1 < width; ++x) codes[x] = static_cast<std::uint8_t>(lbp_samples(up + x, row + x, down + x));
  counts.add(codes + 1, width - 2);
}

}  // namespace

void nbia_statistics(const KernelContext& context, RgbView rgb, NbiaCounts* counts) {
  Scratch& scratch = context.scratch;
  const auto width = static_cast<std::size_t>(rgb.width);
  const std::array rows = {Row(scratch, width), Row(scratch, width), Row(scratch, width)};
  const auto row = [&](int y) -> const Row& { return rows[static_cast<std::size_t>(y % 3)]; };
  Converter converter(scratch, rgb.width);
  std::uint8_t* codes = scratch.take<std::uint8_t>(width).data();
  std::array pairs = {CodeCounts(scratch), CodeCounts(scratch), CodeCounts(scratch)};
  CodeCounts patterns(scratch);

  *counts = {};
  counts->pixels = static_cast<std::uint32_t>(rgb.pixels());
  for (int y = 0; y < rgb.height; ++y) {
    const Row& current = row(y);
    counts->glass += converter.convert(rgb.row(y), current);
    for (std::size_t c = 0; c < 3; ++c) {
      const std::uint8_t* below = current.levels[c];
      count_pairs(below, below + 1, rgb.width - 1, codes, pairs[c]);
      if (y == 0) continue;
      const std::uint8_t* here = row(y - 1).levels[c];
      count_pairs(here, below + 1, rgb.width - 1, codes, pairs[c]);
      count_pairs(here, below, rgb.width, codes, pairs[c]);
      count_pairs(here + 1, below, rgb.width - 1, codes, pairs[c]);
    }
    if (y >= 2 && rgb.width > 2) count_patterns(row(y - 2), row(y - 1), current, rgb.width, codes, patterns);
  }
  for (std::size_t c = 0; c < 3; ++c)
    for (std::size_t code = 0; code < 256; ++code) counts->pairs[c][code] = pairs[c].total(code);
  for (unsigned code = 0; code < 256; ++code) counts->lbp[lbp_bin(code)] += patterns.total(code);
}

}  // namespace starpath::cpu
