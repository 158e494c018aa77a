// Labels, areas and boxes of connected components.
#include <limits>

#include "codelets/cuda/scan.hpp"
#include "codelets/cuda/union_find.hpp"
#include "codelets/kernels/connected_components.hpp"

namespace starpath::cuda {
namespace {

/// areas[root] += pixels, once a run of up to 32.
__global__ void add_areas(int width, int height, const std::int32_t* roots, std::int32_t* areas) {
  const int x = static_cast<int>(blockIdx.x * detail::kPixelColumns + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int lane = static_cast<int>(threadIdx.x);
  const std::int32_t root = x < width && y < height ? roots[y * width + x] : -1;
  const std::int32_t left = __shfl_up_sync(~0U, root, 1);
  const unsigned begins = __ballot_sync(~0U, lane == 0 || left != root);
  if (root < 0 || (begins >> lane & 1U) == 0) return;
  const unsigned later = lane == 31 ? 0U : begins >> (lane + 1);
  atomicAdd(&areas[root], later == 0 ? 32 - lane : __ffs(static_cast<int>(later)));
}

/// Adds one run of a label to its box; first_x of the box counts pixels of the whole image.
__device__ void add_run(ObjectBox& box, int x0, int x1, int y, int width) {
  using Sum = unsigned long long;
  const std::int64_t n = x1 - x0;
  atomicMin(&box.x0, x0);
  atomicMin(&box.y0, y);
  atomicMax(&box.x1, x1);
  atomicMax(&box.y1, y + 1);
  atomicAdd(&box.area, x1 - x0);
  atomicMin(&box.first_x, y * width + x0);
  atomicAdd(reinterpret_cast<Sum*>(&box.sum_x), static_cast<Sum>(n * (x0 + x1 - 1) / 2));
  atomicAdd(reinterpret_cast<Sum*>(&box.sum_y), static_cast<Sum>(n * y));
}

}  // namespace

const std::int32_t* component_areas(const KernelContext& context, int width, int height, const std::int32_t* roots) {
  const auto pixels = static_cast<std::int64_t>(width) * height;
  std::int32_t* const areas = context.scratch.take<std::int32_t>(static_cast<std::size_t>(pixels)).data();
  for_items(context, "areas of 0", pixels, [=] __device__(std::int64_t i) { areas[i] = 0; });
  launch(context, "add areas", dim3(parts_of(width, detail::kPixelColumns), parts_of(height, detail::kPixelRows)),
         dim3(detail::kPixelColumns, detail::kPixelRows), add_areas, width, height, roots, areas);
  return areas;
}

void label_components(const KernelContext& context, MaskView mask, Connectivity connectivity, View<std::int32_t> labels,
                      std::int32_t* count) {
  const Scratch::Mark mark(context.scratch);
  const std::int64_t pixels = mask.pixels();
  std::int32_t* const roots = take_image<std::int32_t>(context, mask).data;
  std::int32_t* const numbers = take_image<std::int32_t>(context, mask).data;
  find_components(context, mask.width, mask.height, connectivity, SetPixels{mask}, roots);
  for_items(context, "mark roots", pixels, [=] __device__(std::int64_t i) { numbers[i] = roots[i] == i ? 1 : 0; });
  exclusive_sums(context, numbers, numbers, pixels);
  for_pixels(context, "label", mask.width, mask.height, [=] __device__(int x, int y) {
    const std::int32_t i = y * labels.width + x;
    const std::int32_t root = roots[i];
    labels.at(x, y) = root < 0 ? 0 : numbers[root] + 1;
    if (i == pixels - 1) *count = numbers[i] + (root == i ? 1 : 0);
  });
}

void object_boxes(const KernelContext& context, View<const std::int32_t> labels, std::span<ObjectBox> boxes) {
  ObjectBox* const all = boxes.data();
  const auto count = static_cast<std::int64_t>(boxes.size());
  for_items(context, "begin boxes", count, [=] __device__(std::int64_t i) {
    constexpr std::int32_t far = std::numeric_limits<std::int32_t>::max();
    all[i] = {far, far, 0, 0, 0, far, 0, 0, 0};
  });
  for_pixels(context, "object_boxes", labels.width, labels.height, [=] __device__(int x, int y) {
    const std::int32_t label = labels.at(x, y);
    if (label == 0 || (x > 0 && labels.at(x - 1, y) == label)) return;
    int end = x + 1;
    while (end < labels.width && labels.at(end, y) == label) ++end;
    add_run(all[label - 1], x, end, y, labels.width);
  });
  for_items(context, "end boxes", count, [=] __device__(std::int64_t i) {
    const std::int32_t first = all[i].first_x;
    all[i].first_x = first % labels.width;
    all[i].first_y = first / labels.width;
  });
}

void area_filter(const KernelContext& context, MaskView mask, Connectivity connectivity, std::int32_t min_area,
                 std::int32_t max_area, View<std::uint8_t> out) {
  const Scratch::Mark mark(context.scratch);
  std::int32_t* const roots = take_image<std::int32_t>(context, mask).data;
  find_components(context, mask.width, mask.height, connectivity, SetPixels{mask}, roots);
  const std::int32_t* const areas = component_areas(context, mask.width, mask.height, roots);
  for_pixels(context, "area_filter", mask.width, mask.height, [=] __device__(int x, int y) {
    const std::int32_t root = roots[y * out.width + x];
    out.at(x, y) = root >= 0 && areas[root] >= min_area && areas[root] < max_area ? 255 : 0;
  });
}

void area_threshold(const KernelContext& context, MaskView filled, int min_area, int max_area,
                    View<std::uint8_t> seeds) {
  area_filter(context, filled, Connectivity::eight, min_area, max_area, seeds);
}

}  // namespace starpath::cuda
