// Sums of the surroundings: of columns, updated from row to row, and from those by differences of running sums.
#include "codelets/kernels/nucleus_pixels.hpp"

#include <algorithm>
#include <span>

namespace starpath::cpu {
namespace {

/// One row: `running[x]` is the sum of the `rows` rows of surroundings over the columns before x, modulo 2^32.
struct SummedRow {
  const std::uint32_t* running;
  int width, rows, reach, level, weight;

  std::uint8_t test(int difference, int begin, int end) const {
    const auto sum = static_cast<int>(running[end] - running[begin]);
    return is_nucleus_pixel(difference, sum, rows * (end - begin), level, weight) ? 255 : 0;
  }
  /// Pixels near the ends of the row, whose surroundings are cut there.
  void test_ends(const std::uint8_t* difference, int begin, int end, std::uint8_t* mask) const {
    for (int x = begin; x < end; ++x)
      mask[x] = test(difference[x], std::max(0, x - reach), std::min(width, x + reach + 1));
  }
  void test_row(const std::uint8_t* difference, std::uint8_t* mask) const {
    const int inner = std::min(width, reach), outer = std::max(inner, width - reach);
    test_ends(difference, 0, inner, mask);
    for (int x = inner; x < outer; ++x) mask[x] = test(difference[x], x - reach, x + reach + 1);
    test_ends(difference, outer, width, mask);
  }
};

void add_row(const std::uint8_t* row, int width, std::uint32_t* columns) {
  for (int x = 0; x < width; ++x) columns[x] += row[x];
}

void take_row(const std::uint8_t* row, int width, std::uint32_t* columns) {
  for (int x = 0; x < width; ++x) columns[x] -= row[x];
}

}  // namespace

void nucleus_pixels(const KernelContext& context, GrayView difference, int level, int reach, int weight,
                    View<std::uint8_t> mask) {
  const Scratch::Mark mark(context.scratch);
  const int width = mask.width, height = mask.height;
  const auto size = static_cast<std::size_t>(width);
  const auto columns = context.scratch.take<std::uint32_t>(size);
  const auto running = context.scratch.take<std::uint32_t>(size + 1);
  std::fill(columns.begin(), columns.end(), 0U);
  running[0] = 0;
  for (int y = 0; y < std::min(reach, height); ++y) add_row(difference.row(y), width, columns.data());
  for (int y = 0; y < height; ++y) {
    if (y + reach < height) add_row(difference.row(y + reach), width, columns.data());
    if (y > reach) take_row(difference.row(y - reach - 1), width, columns.data());
    std::uint32_t sum = 0;
    for (std::size_t x = 0; x < size; ++x) running[x + 1] = sum += columns[x];
    const int rows = std::min(height, y + reach + 1) - std::max(0, y - reach);
    SummedRow{running.data(), width, rows, reach, level, weight}.test_row(difference.row(y), mask.row(y));
  }
}

}  // namespace starpath::cpu
