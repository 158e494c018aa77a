// Exact distances of a whole image: columns, then the lower envelope of each row.
#include <algorithm>
#include <cstdint>
#include <limits>
#include <span>

#include "codelets/cpu/pixel_runs.hpp"
#include "codelets/kernels/pre_watershed.hpp"

namespace starpath::cpu {
namespace {

constexpr std::int32_t kFar = std::numeric_limits<std::int32_t>::max();

/// squared = rows to the nearest 0 of the own column, or `far`.
void vertical_distances(MaskView mask, View<std::int32_t> rows) {
  for (int y = 0; y < mask.height; ++y) {
    const std::uint8_t* in = mask.row(y);
    std::int32_t* here = rows.row(y);
    const std::int32_t* above = y > 0 ? rows.row(y - 1) : nullptr;
    for (int x = 0; x < mask.width; ++x) {
      const std::int32_t next = above == nullptr || above[x] == kFar ? kFar : above[x] + 1;
      here[x] = in[x] == 0 ? 0 : next;
    }
  }
  for (int y = mask.height - 2; y >= 0; --y) {
    std::int32_t* here = rows.row(y);
    const std::int32_t* below = rows.row(y + 1);
    for (int x = 0; x < mask.width; ++x) here[x] = std::min(here[x], below[x] == kFar ? kFar : below[x] + 1);
  }
}

/// The lower envelope of the parabolas of one row (Meijster, Roerdink and Hesselink 2000).
class Envelope {
 public:
  Envelope(Scratch& scratch, int width)
      : rows_(scratch.take<std::int64_t>(static_cast<std::size_t>(width))),
        sites_(scratch.take<Site>(static_cast<std::size_t>(width))) {}

  /// Replaces `row`, distances to the nearest 0 of each column, by squared distances to the nearest 0 of all columns.
  void apply(std::int32_t* row, int width) {
    std::copy_n(row, width, rows_.begin());
    int count = 0;
    for (int x = 0; x < width; ++x)
      if (row[x] != kFar) count = add(count, x, width);
    if (count == 0) return;
    for (int x = width - 1; x >= 0; --x) {
      const Site& site = sites_[static_cast<std::size_t>(count - 1)];
      row[x] = static_cast<std::int32_t>(at(x, site.x));
      if (x == site.from) --count;
    }
  }

 private:
  struct Site {
    std::int32_t x, from;  // nearest for the pixels from `from` up to the next site's
  };
  std::int64_t rows(int x) const { return rows_[static_cast<std::size_t>(x)]; }
  std::int64_t at(int x, int site) const { return std::int64_t{x - site} * (x - site) + rows(site) * rows(site); }

  int add(int count, int x, int width) {
    while (count > 0) {
      const Site& last = sites_[static_cast<std::size_t>(count - 1)];
      if (at(last.from, last.x) <= at(last.from, x)) break;
      --count;
    }
    std::int64_t from = 0;
    if (count > 0) {
      const std::int64_t i = sites_[static_cast<std::size_t>(count - 1)].x;
      from = 1 +
             (std::int64_t{x} * x - i * i + rows(x) * rows(x) - rows(static_cast<int>(i)) * rows(static_cast<int>(i))) /
                 (2 * (x - i));
    }
    if (from < width) sites_[static_cast<std::size_t>(count++)] = {x, static_cast<std::int32_t>(from)};
    return count;
  }

  std::span<std::int64_t> rows_;
  std::span<Site> sites_;
};

}  // namespace

void squared_distance(const KernelContext& context, MaskView mask, View<std::int32_t> squared) {
  const Scratch::Mark mark(context.scratch);
  vertical_distances(mask, squared);
  const RunRows rows = find_runs(context.scratch, mask);
  Envelope envelope(context.scratch, mask.width + 2);
  for (int y = 0; y < mask.height; ++y)
    for (std::int32_t i = rows.begin(y); i < rows.end(y); ++i) {
      // The 0 at either end of a run hides everything beyond it.
      const int begin = std::max(0, rows[i].x0 - 1), end = std::min(mask.width, rows[i].x1 + 1);
      envelope.apply(squared.row(y) + begin, end - begin);
    }
}

}  // namespace starpath::cpu
