// Connected components on runs.
#include "codelets/kernels/connected_components.hpp"

#include <algorithm>
#include <limits>

#include "codelets/cpu/components.hpp"

namespace starpath::cpu {
namespace {

/// Calls visit(x0, x1, label) for each run of one label other than 0.
template <class Visit>
void for_label_runs(const std::int32_t* row, int width, Visit visit) {
  constexpr int step = 16;
  for (int x = 0; x < width;) {
    std::int32_t any = 0;
    if (x + step <= width) {
      for (int i = 0; i < step; ++i) any |= row[x + i];
      if (any == 0) {
        x += step;
        continue;
      }
    }
    const std::int32_t label = row[x];
    const int x0 = x++;
    while (x < width && row[x] == label) ++x;
    if (label != 0) visit(x0, x, label);
  }
}

}  // namespace

void label_components(const KernelContext& context, MaskView mask, Connectivity connectivity, View<std::int32_t> labels,
                      std::int32_t* count) {
  const Scratch::Mark mark(context.scratch);
  const Components components = find_components(context.scratch, mask, connectivity);
  *count = components.count;
  for (int y = 0; y < labels.height; ++y) {
    std::int32_t* row = labels.row(y);
    std::fill_n(row, labels.width, 0);
    for (std::int32_t i = components.rows.begin(y); i < components.rows.end(y); ++i)
      std::fill(row + components.rows[i].x0, row + components.rows[i].x1, components.label(i));
  }
}

void object_boxes(const KernelContext&, View<const std::int32_t> labels, std::span<ObjectBox> boxes) {
  constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
  std::fill(boxes.begin(), boxes.end(), ObjectBox{far, far, 0, 0, 0, 0, 0, 0, 0});
  for (int y = 0; y < labels.height; ++y)
    for_label_runs(labels.row(y), labels.width, [&](int x0, int x1, std::int32_t label) {
      ObjectBox& box = boxes[static_cast<std::size_t>(label - 1)];
      if (box.area == 0) {
        box.first_x = x0;
        box.first_y = box.y0 = y;
      }
      const std::int64_t length = x1 - x0;
      box.x0 = std::min(box.x0, x0);
      box.x1 = std::max(box.x1, x1);
      box.y1 = y + 1;
      box.sum_x += length * (x0 + x1 - 1) / 2;
      box.sum_y += length * y;
      box.area += x1 - x0;
    });
}

void area_filter(const KernelContext& context, MaskView mask, Connectivity connectivity, std::int32_t min_area,
                 std::int32_t max_area, View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  const Components components = find_components(context.scratch, mask, connectivity);
  const auto areas = component_areas(context.scratch, components);
  write_runs(components.rows, out, [&](std::int32_t run) {
    const std::int32_t area = areas[static_cast<std::size_t>(components.label(run))];
    return area >= min_area && area < max_area;
  });
}

void area_threshold(const KernelContext& context, MaskView filled, int min_area, int max_area,
                    View<std::uint8_t> seeds) {
  area_filter(context, filled, Connectivity::eight, min_area, max_area, seeds);
}

}  // namespace starpath::cpu
