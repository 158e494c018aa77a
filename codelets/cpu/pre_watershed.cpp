// The relief for the watershed, object by object.
#include "codelets/kernels/pre_watershed.hpp"

#include <cmath>
#include <cstring>
#include <limits>

#include "codelets/cpu/catchments.hpp"

namespace starpath::cpu {
namespace {

constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();

// ---- exact distances of a whole image ----

/// squared = rows to the nearest 0 of the own column, or `far`.
void vertical_distances(MaskView mask, View<std::int32_t> rows) {
  for (int y = 0; y < mask.height; ++y) {
    const std::uint8_t* in = mask.row(y);
    std::int32_t* here = rows.row(y);
    const std::int32_t* above = y > 0 ? rows.row(y - 1) : nullptr;
    for (int x = 0; x < mask.width; ++x) {
      const std::int32_t next = above == nullptr || above[x] == far ? far : above[x] + 1;
      here[x] = in[x] == 0 ? 0 : next;
    }
  }
  for (int y = mask.height - 2; y >= 0; --y) {
    std::int32_t* here = rows.row(y);
    const std::int32_t* below = rows.row(y + 1);
    for (int x = 0; x < mask.width; ++x) here[x] = std::min(here[x], below[x] == far ? far : below[x] + 1);
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
      if (row[x] != far) count = add(count, x, width);
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

// ---- exact distances of one object ----

/// Leaves the object's squared distances in `catchments`.
void object_distances(const Context& context, const Object& object, int width, int height, Catchments& catchments) {
  const Scratch::Mark mark(context.scratch);
  // What is nearest to a pixel is next to its own object: all pixels nearer than that are in the object.
  const int x0 = std::max(0, object.x0 - 1), y0 = std::max(0, object.y0 - 1);
  const int x1 = std::min(width, object.x1 + 1), y1 = std::min(height, object.y1 + 1);
  const auto pixels = static_cast<std::size_t>(x1 - x0) * static_cast<std::size_t>(y1 - y0);
  const View<std::uint8_t> mask{context.scratch.take<std::uint8_t>(pixels).data(), x1 - x0, y1 - y0, x1 - x0};
  const View<std::int32_t> squared{context.scratch.take<std::int32_t>(pixels).data(), x1 - x0, y1 - y0, x1 - x0};
  std::memset(mask.data, 0, pixels);
  for (const Segment& segment : object.segments)
    std::memset(&mask.at(segment.x0 - x0, segment.y - y0), 255, static_cast<std::size_t>(segment.length()));
  squared_distance(context, mask, squared);
  for (const Segment& segment : object.segments)
    std::copy_n(&squared.at(segment.x0 - x0, segment.y - y0), segment.length(),
                catchments.values() + catchments.index_of(segment));
}

// A double holds 65536 times any squared distance, and its root is far enough from the next integer to round down
// right.
std::int32_t depth_of(std::int32_t squared) {
  const double root = std::sqrt(static_cast<double>(squared) * (depth_unit * depth_unit));
  return std::min(depth_max, static_cast<std::int32_t>(root));
}

struct Join {
  std::int32_t first, second, saddle;
};

/// Lowers the value of every root to its reconstruction: the way from a root up to a higher peak leads over the saddle
/// where its catchment was joined to that peak's.
void lower_roots(const Context& context, Catchments& catchments, int roots) {
  const Scratch::Mark mark(context.scratch);
  const auto joins = context.scratch.take<Join>(static_cast<std::size_t>(roots));
  std::size_t count = 0;
  catchments.join([&](std::int32_t a, std::int32_t b, std::int32_t p) {
    joins[count++] = {a, b, catchments.value(p)};
    return true;
  });
  const std::int32_t top = joins[count - 1].first;
  catchments.set_value(top, catchments.value(top) - depth_h);
  while (count-- > 0) {
    const Join& join = joins[count];
    catchments.set_value(join.second, std::max(catchments.value(join.second) - depth_h,
                                               std::min(join.saddle, catchments.value(join.first))));
  }
}

void dilate_cross(MaskView in, View<std::uint8_t> out) {
  for (int y = 0; y < in.height; ++y) {
    const std::uint8_t* above = in.row(std::max(0, y - 1));
    const std::uint8_t* here = in.row(y);
    const std::uint8_t* below = in.row(std::min(in.height - 1, y + 1));
    std::uint8_t* to = out.row(y);
    const int last = in.width - 1;
    to[0] = here[0] | above[0] | below[0] | here[std::min(1, last)];
    for (int x = 1; x < last; ++x) to[x] = here[x] | above[x] | below[x] | here[x - 1] | here[x + 1];
    if (last > 0) to[last] = here[last] | above[last] | below[last] | here[last - 1];
  }
}

}  // namespace

void squared_distance(const Context& context, MaskView mask, View<std::int32_t> squared) {
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

void pre_watershed(const Context& context, MaskView selected, View<std::uint8_t> objects, View<std::uint16_t> depth) {
  const Scratch::Mark mark(context.scratch);
  const auto pixels = static_cast<std::size_t>(selected.pixels());
  const View<std::uint8_t> large{context.scratch.take<std::uint8_t>(pixels).data(), selected.width, selected.height,
                                 selected.width};
  area_filter(context, selected, Connectivity::eight, pre_watershed_min_area, far, large);
  dilate_cross(large, objects);

  const auto all = group_objects(context.scratch, find_components(context.scratch, objects, Connectivity::eight));
  Catchments catchments(context.scratch, largest_catchments(all));
  for (int y = 0; y < depth.height; ++y) std::fill_n(depth.row(y), depth.width, std::uint16_t{0});
  for (const Object& object : all) {
    catchments.begin(object);
    object_distances(context, object, selected.width, selected.height, catchments);
    for (const Segment& segment : object.segments) {
      std::int32_t* const values = catchments.values() + catchments.index_of(segment);
      for (int i = 0; i < segment.length(); ++i) values[i] = depth_of(values[i]);
    }
    const int roots = catchments.climb();
    if (roots > 1)
      lower_roots(context, catchments, roots);
    else
      catchments.set_value(catchments.root(catchments.index_of(object.segments[0])),
                           catchments.value(catchments.root(catchments.index_of(object.segments[0]))) - depth_h);
    for (const Segment& segment : object.segments) {
      const std::int32_t begin = catchments.index_of(segment);
      std::uint16_t* const out = depth.row(segment.y) + segment.x0;
      for (int i = 0; i < segment.length(); ++i)
        out[i] = static_cast<std::uint16_t>(
            std::min(catchments.value(begin + i), catchments.value(catchments.root(begin + i))));
    }
  }
}

}  // namespace starpath::cpu
