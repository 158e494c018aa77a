// Greedy suppression over all candidates at once, with a proof for each of what it depends on. Where that reaches
// beyond what its block sees, the block is decided by itself.
#include "codelets/kernels/star_polygons.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "codelets/cpu/star_rasters.hpp"

namespace starpath::cpu {
namespace {

using Rank = std::uint32_t;  // in the order of comes_before()
constexpr Rank kNone = 0xffffffff;

struct Candidate {
  std::int32_t x, y;    // the pixel of its point
  StarBox box;          // of its polygon
  std::int32_t area;    // 0: it is none
  StarBox depends_on;   // holds the points of all candidates that its fate depends on
  const StarRun* runs;  // of one that is kept
  std::int32_t run_count;
  bool is_kept, is_decided;

  std::span<const StarRun> polygon() const { return {runs, static_cast<std::size_t>(run_count)}; }
};

StarBox seen_of(const std::array<std::int64_t, 2>& block) {
  const auto first = [&](std::size_t axis) { return static_cast<std::int32_t>(block[axis] * kStarBlock - kStarSight); };
  constexpr auto side = static_cast<std::int32_t>(kStarBlock + 2 * kStarSight);
  return {first(0), first(1), first(0) + side, first(1) + side};
}

/// Lists of candidates by squares of the slide.
class Squares {
 public:
  Squares(const StarBox& extent, std::size_t candidates, Scratch& scratch)
      : extent_(extent),
        columns_((extent.x1 - extent.x0) / kSide + 1),
        rows_((extent.y1 - extent.y0) / kSide + 1),
        first_(scratch.take<Rank>(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_))),
        next_(scratch.take<Rank>(candidates)) {
    clear();
  }
  void clear() { std::ranges::fill(first_, kNone); }
  void add(Rank rank, std::int32_t x, std::int32_t y) {
    Rank& first = first_[at((x - extent_.x0) / kSide, (y - extent_.y0) / kSide)];
    next_[rank] = first;
    first = rank;
  }
  /// Calls see(rank) for those in squares that meet the box, until it returns false.
  template <class See>
  void visit(const StarBox& box, const See& see) const {
    const auto square = [](std::int32_t place, std::int32_t from, int most) {
      return std::clamp((place - from) / kSide, 0, most - 1);
    };
    const int last_column = square(box.x1, extent_.x0, columns_), last_row = square(box.y1, extent_.y0, rows_);
    for (int row = square(box.y0, extent_.y0, rows_); row <= last_row; ++row)
      for (int column = square(box.x0, extent_.x0, columns_); column <= last_column; ++column)
        for (Rank rank = first_[at(column, row)]; rank != kNone; rank = next_[rank])
          if (!see(rank)) return;
  }

 private:
  static constexpr std::int32_t kSide = 32;
  std::size_t at(int column, int row) const {
    return static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_) + static_cast<std::size_t>(column);
  }
  const StarBox extent_;
  const int columns_, rows_;
  const std::span<Rank> first_, next_;
};

class Suppression {
 public:
  Suppression(const Stars& stars, double most_overlap, Scratch& scratch)
      : stars_(stars),
        most_overlap_(most_overlap),
        scratch_(scratch),
        raster_(stars, scratch),
        order_(scratch.take<Rank>(stars.points.size())),
        all_(scratch.take<Candidate>(stars.points.size())) {
    std::iota(order_.begin(), order_.end(), Rank{0});
    std::ranges::sort(order_, [&](Rank a, Rank b) { return comes_before(stars.points[a], stars.points[b]); });
  }

  void decide(const StarBox& view) {
    Squares every(extent(), all_.size(), scratch_), kept(extent(), all_.size(), scratch_);
    for (Rank rank = 0; rank < all_.size(); ++rank) {
      Candidate& own = all_[rank];
      const std::span<const StarRun> runs = shape(rank);
      if (own.area == 0) continue;
      suppress(rank, runs, kept);
      if (own.is_kept) {
        every.visit(grown(own.box), [&](Rank other) {
          if (may_overlap(own, all_[other])) own.depends_on = own.depends_on.with(all_[other].depends_on);
          return true;
        });
        keep(own, runs);
        kept.add(rank, own.x, own.y);
      }
      every.add(rank, own.x, own.y);
      own.is_decided = own.depends_on.lies_in(seen_of(block_of(stars_.points[order_[rank]])));
    }
    for (Rank rank = 0; rank < all_.size(); ++rank)
      if (all_[rank].area != 0 && !all_[rank].is_decided && all_[rank].box.meets(view))
        decide_block(block_of(stars_.points[order_[rank]]), every, kept);
  }

  void paint(const StarBox& view, View<std::int32_t> numbers) {
    for (int j = 0; j < numbers.height; ++j) std::fill_n(numbers.row(j), numbers.width, 0);
    for (Rank rank = static_cast<Rank>(all_.size()); rank-- > 0;) {
      if (all_[rank].area == 0 || !all_[rank].is_kept || !all_[rank].box.meets(view)) continue;
      for (const StarRun& run : raster_.runs_of(order_[rank])) {
        const std::int32_t x0 = std::max(run.x0, view.x0), x1 = std::min(run.x1, view.x1);
        if (run.y < view.y0 || run.y >= view.y1 || x0 >= x1) continue;
        std::fill_n(numbers.row(run.y - view.y0) + (x0 - view.x0), x1 - x0,
                    static_cast<std::int32_t>(order_[rank] + 1));
      }
    }
  }

 private:
  StarBox extent() const {
    StarBox box{};
    for (std::size_t i = 0; i < stars_.points.size(); ++i) {
      const StarBox here = pixel_of(stars_.points[i]);
      box = i == 0 ? here : box.with(here);
    }
    return box;
  }
  static StarBox pixel_of(const StarPoint& point) {
    const auto x = static_cast<std::int32_t>(point.x / kStarUnit), y = static_cast<std::int32_t>(point.y / kStarUnit);
    return {x, y, x + 1, y + 1};
  }
  StarBox grown(const StarBox& box) const {
    const std::int32_t by = raster_.reach();
    return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by};
  }

  /// Fills in all but the fate.
  std::span<const StarRun> shape(Rank rank) {
    Candidate& own = all_[rank];
    own = {};
    own.depends_on = pixel_of(stars_.points[order_[rank]]);
    own.x = own.depends_on.x0;
    own.y = own.depends_on.y0;
    const std::span<const StarRun> runs = raster_.runs_of(order_[rank]);
    for (const StarRun& run : runs) {
      const StarBox box{run.x0, run.y, run.x1, run.y + 1};
      own.box = own.area == 0 ? box : own.box.with(box);
      own.area += run.x1 - run.x0;
    }
    return runs;
  }

  bool are_too_many(std::int64_t common, const Candidate& a, const Candidate& b) const {
    return static_cast<double>(common) > most_overlap_ * static_cast<double>(std::min(a.area, b.area));
  }
  /// By what is common to the boxes.
  bool may_overlap(const Candidate& a, const Candidate& b) const {
    const std::int64_t width = std::min(a.box.x1, b.box.x1) - std::max(a.box.x0, b.box.x0),
                       height = std::min(a.box.y1, b.box.y1) - std::max(a.box.y0, b.box.y0);
    return width > 0 && height > 0 && are_too_many(width * height, a, b);
  }
  bool overlaps(const Candidate& own, std::span<const StarRun> runs, const Candidate& other) const {
    return may_overlap(own, other) && are_too_many(common_pixels(runs, other.polygon()), own, other);
  }

  /// By those that are kept so far. Of several that suppress it, one is enough for the proof.
  void suppress(Rank rank, std::span<const StarRun> runs, const Squares& kept) {
    Candidate& own = all_[rank];
    const StarBox seen = seen_of(block_of(stars_.points[order_[rank]]));
    own.is_kept = true;
    const StarBox place = own.depends_on;
    kept.visit(grown(own.box), [&](Rank other) {
      if (!overlaps(own, runs, all_[other])) return true;
      own.is_kept = false;
      own.depends_on = place.with(all_[other].depends_on);
      return !own.depends_on.lies_in(seen);
    });
  }

  void keep(Candidate& own, std::span<const StarRun> runs) {
    const std::span<StarRun> memory = scratch_.take<StarRun>(runs.size());
    std::ranges::copy(runs, memory.begin());
    own.runs = memory.data();
    own.run_count = static_cast<std::int32_t>(runs.size());
  }

  /// The definition. `kept` is overwritten.
  void decide_block(const std::array<std::int64_t, 2>& block, const Squares& every, Squares& kept) {
    const Scratch::Mark mark(scratch_);
    const StarBox seen = seen_of(block);
    const auto for_each_seen = [&](const auto& take) {
      every.visit(seen, [&](Rank rank) {
        if (is_seen(stars_.points[order_[rank]], block)) take(rank);
        return true;
      });
    };
    std::size_t count = 0;
    for_each_seen([&](Rank) { ++count; });
    const std::span<Rank> ranks = scratch_.take<Rank>(count);
    for_each_seen([&](Rank rank) { ranks[--count] = rank; });
    std::ranges::sort(ranks);
    kept.clear();
    for (const Rank rank : ranks) {
      Candidate& own = all_[rank];
      const std::span<const StarRun> runs = raster_.runs_of(order_[rank]);
      bool is_kept = true;
      kept.visit(grown(own.box), [&](Rank other) {
        is_kept = !overlaps(own, runs, all_[other]);
        return is_kept;
      });
      if (is_kept) {
        keep(own, runs);
        kept.add(rank, own.x, own.y);
      }
      if (block_of(stars_.points[order_[rank]]) != block) continue;
      own.is_kept = is_kept;
      own.is_decided = true;
    }
  }

  const Stars& stars_;
  const double most_overlap_;
  Scratch& scratch_;
  StarRaster raster_;
  const std::span<Rank> order_;
  const std::span<Candidate> all_;
};

}  // namespace

void star_polygons(const KernelContext& context, const Stars& stars, double most_overlap, std::int64_t x,
                   std::int64_t y, View<std::int32_t> numbers) {
  const Scratch::Mark mark(context.scratch);
  const auto left = static_cast<std::int32_t>(x), top = static_cast<std::int32_t>(y);
  const StarBox view{left, top, left + numbers.width, top + numbers.height};
  Suppression suppression(stars, most_overlap, context.scratch);
  suppression.decide(view);
  suppression.paint(view, numbers);
}

}  // namespace starpath::cpu
