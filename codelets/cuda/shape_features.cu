// Shape of each wanted object, a block an object.
#include "codelets/cuda/object_patch.hpp"

namespace starpath::cuda {
namespace {

/// Counts the 2 x 2 squares of pixels, one pixel beyond the box, by how many of their pixels are the nucleus's.
__device__ void count_quads(const Patch& patch, const ObjectBox& box, ShapeSums& sums) {
  const int columns = box.x1 - box.x0 + 1, quads = columns * (box.y1 - box.y0 + 1);
  for (int i = static_cast<int>(threadIdx.x); i < quads; i += kObjectThreads) {
    const int x = box.x0 - 1 + i % columns - patch.x0, y = box.y0 - 1 + i / columns - patch.y0;
    const auto set = [&](int u, int v) { return patch.region(u, v) == static_cast<int>(Region::nucleus) ? 1 : 0; };
    const int a = set(x, y), b = set(x + 1, y), c = set(x, y + 1), d = set(x + 1, y + 1), pixels = a + b + c + d;
    sums.quads_one += pixels == 1;
    sums.quads_three += pixels == 3;
    sums.quads_diagonal += pixels == 2 && a == d;
    sums.quads_side += pixels == 2 && a != d;
  }
}

struct ShapeFamily {
  using Sums = OutlineSums;

  __device__ void add(const Objects& objects, const Patch& patch, Sums& sums) const {
    const ObjectBox& box = objects.boxes[patch.label - 1];
    ShapeSums thread_sums{};
    std::int64_t ring = 0;
    for_patch(patch, [&](int x, int y, int) {
      const int region = patch.region(x, y);
      ring += region == static_cast<int>(Region::ring);
      if (region != static_cast<int>(Region::nucleus)) return;
      const std::int64_t u = patch.x0 + x - box.x0, v = patch.y0 + y - box.y0;
      ++thread_sums.area;
      thread_sums.sum_x += u;
      thread_sums.sum_y += v;
      thread_sums.sum_xx += u * u;
      thread_sums.sum_xy += u * v;
      thread_sums.sum_yy += v * v;
    });
    count_quads(patch, box, thread_sums);
    add_to(sums.ring_area, ring);
    ShapeSums& shape = sums.shape;
    add_to(shape.area, thread_sums.area);
    add_to(shape.sum_x, thread_sums.sum_x);
    add_to(shape.sum_y, thread_sums.sum_y);
    add_to(shape.sum_xx, thread_sums.sum_xx);
    add_to(shape.sum_xy, thread_sums.sum_xy);
    add_to(shape.sum_yy, thread_sums.sum_yy);
    add_to(shape.quads_one, thread_sums.quads_one);
    add_to(shape.quads_side, thread_sums.quads_side);
    add_to(shape.quads_diagonal, thread_sums.quads_diagonal);
    add_to(shape.quads_three, thread_sums.quads_three);
    if (threadIdx.x == 0) {
      shape.box_width = box.x1 - box.x0;
      shape.box_height = box.y1 - box.y0;
    }
  }

  __device__ void write(const Sums& sums, RowWork&, int, double* row) const {
    if (threadIdx.x == 0) write_shape(sums, row);
  }
};

}  // namespace

void shape_features(const KernelContext& context, View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                    std::span<const std::uint8_t> wanted, std::span<const MaskPlace>, std::span<const std::uint64_t>,
                    View<double> table) {
  measure_objects(context, "shape_features", labels, boxes, wanted, table, ShapeFamily{});
}

}  // namespace starpath::cuda
