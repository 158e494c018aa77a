// Operation 11: a block an object. Small objects are worked on in shared memory, the few others in global memory.
#include "codelets/cuda/feature_planes.hpp"
#include "codelets/cuda/feature_rows.hpp"
#include "codelets/kernels/edge_filters.hpp"
#include "codelets/kernels/features.hpp"

namespace starpath::cuda {
namespace {

constexpr int kThreads = 128, kWarps = kThreads / 32;
constexpr int kSmallPixels = 4096;  // of the rectangle around an object and its ring
constexpr int kResident = 6;  // blocks that a multiprocessor should hold: of its 228 KiB of shared memory each takes 33
constexpr int kLargeBlocks = 4;
constexpr std::uint8_t kFar = 255;

/// All that objects are measured on.
struct Scene {
  int width, height;
  View<const std::int32_t> labels;
  const FeaturePixel* planes;
  const ObjectBox* boxes;
  const std::uint8_t* wanted;
  int count;
  View<double> table;
};

/// The rectangle around an object in which its ring lies, and a byte or two for each of its pixels.
struct Patch {
  std::int32_t label;
  int x0, y0, width, height;
  /// First the distance to the object along the row, or far. Then Region in bits 0 and 1, and the CannyClass of channel
  /// c in bits 2 c + 2 and 2 c + 3.
  std::uint8_t *bytes, *other;

  STARPATH_HD int size() const { return width * height; }
  __device__ int region(int x, int y) const {
    return x >= 0 && x < width && y >= 0 && y < height ? bytes[y * width + x] & 3 : 0;
  }
};

STARPATH_HD Patch patch_of(const Scene& scene, int object) {
  const ObjectBox& box = scene.boxes[object];
  const int x0 = box.x0 > kRingDistance ? box.x0 - kRingDistance : 0;
  const int y0 = box.y0 > kRingDistance ? box.y0 - kRingDistance : 0;
  const int x1 = box.x1 + kRingDistance < scene.width ? box.x1 + kRingDistance : scene.width;
  const int y1 = box.y1 + kRingDistance < scene.height ? box.y1 + kRingDistance : scene.height;
  return {object + 1, x0, y0, x1 - x0, y1 - y0, nullptr, nullptr};
}

/// Calls body(x, y, index) for the patch's pixels, spread over the block's threads.
template <class Body>
__device__ void for_patch(const Patch& patch, Body body) {
  for (int i = static_cast<int>(threadIdx.x); i < patch.size(); i += kThreads)
    body(i % patch.width, i / patch.width, i);
}

/// to += the sum of `value` over the block's threads. All threads call this.
__device__ void add_to(std::int64_t& to, std::int64_t value) {
  const auto sum = static_cast<unsigned long long>(warp_sum(static_cast<long long>(value)));
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(&to), sum);
}
__device__ void add_to(std::uint32_t& to, std::uint32_t value) {
  const unsigned sum = warp_sum(static_cast<unsigned>(value));
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&to, sum);
}

__device__ void clear(FeatureSums& sums) {
  auto* const words = reinterpret_cast<std::uint32_t*>(&sums);
  for (std::size_t i = threadIdx.x; i < sizeof sums / sizeof *words; i += kThreads) words[i] = 0;
}

__device__ void find_distances(const Scene& scene, const Patch& patch) {
  for_patch(patch, [&](int x, int y, int i) {
    const std::int32_t* const row = scene.labels.row(patch.y0 + y) + patch.x0;
    std::uint8_t distance = kFar;
    for (int d = 0; d <= kRingDistance && distance == kFar; ++d)
      if ((x - d >= 0 && row[x - d] == patch.label) || (x + d < patch.width && row[x + d] == patch.label))
        distance = static_cast<std::uint8_t>(d);
    patch.other[i] = distance;
  });
}

/// bytes of the pixels: regions, and the classes of Canny inside them.
__device__ void find_regions(const Scene& scene, const Patch& patch) {
  for_patch(patch, [&](int x, int y, int i) {
    const std::int32_t label = scene.labels.at(patch.x0 + x, patch.y0 + y);
    bool near = false;
    for (int dy = -kRingDistance; dy <= kRingDistance && !near && label == 0; ++dy) {
      if (y + dy < 0 || y + dy >= patch.height) continue;
      const int d = patch.other[i + dy * patch.width];
      near = d != kFar && d * d + dy * dy <= kRingDistance * kRingDistance;
    }
    const Region region = label == patch.label ? Region::nucleus : near ? Region::ring : Region::outside;
    const std::uint8_t canny = scene.planes[std::ptrdiff_t{patch.y0 + y} * scene.width + patch.x0 + x].canny;
    patch.bytes[i] =
        region == Region::outside ? std::uint8_t{0} : static_cast<std::uint8_t>(static_cast<int>(region) | canny << 2);
  });
}

/// Counts the 2 x 2 squares of pixels, one pixel beyond the box, by how many of their pixels are the nucleus's.
__device__ void count_quads(const Patch& patch, const ObjectBox& box, ShapeSums& sums) {
  const int columns = box.x1 - box.x0 + 1, quads = columns * (box.y1 - box.y0 + 1);
  for (int i = static_cast<int>(threadIdx.x); i < quads; i += kThreads) {
    const int x = box.x0 - 1 + i % columns - patch.x0, y = box.y0 - 1 + i / columns - patch.y0;
    const auto set = [&](int u, int v) { return patch.region(u, v) == static_cast<int>(Region::nucleus) ? 1 : 0; };
    const int a = set(x, y), b = set(x + 1, y), c = set(x, y + 1), d = set(x + 1, y + 1), pixels = a + b + c + d;
    sums.quads_one += pixels == 1;
    sums.quads_three += pixels == 3;
    sums.quads_diagonal += pixels == 2 && a == d;
    sums.quads_side += pixels == 2 && a != d;
  }
}

__device__ void add_shape(const Scene& scene, const Patch& patch, FeatureSums& sums) {
  const ObjectBox& box = scene.boxes[patch.label - 1];
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

/// Histograms, pairs and Sobel.
__device__ void add_values(const Scene& scene, const Patch& patch, FeatureSums& sums) {
  constexpr int partners[4][2] = {{1, 0}, {1, 1}, {0, 1}, {-1, 1}};
  for_patch(patch, [&](int x, int y, int) {
    const int region = patch.region(x, y);
    if (region == 0) return;
    const std::ptrdiff_t at = std::ptrdiff_t{patch.y0 + y} * scene.width + patch.x0 + x;
    const FeaturePixel pixel = scene.planes[at];
    auto& channels = sums.channels[static_cast<std::size_t>(region - 1)];
    for (std::size_t c = 0; c < 3; ++c) {
      atomicAdd(&channels[c].values[pixel.value[c]], 1U);
      atomicAdd(&channels[c].gradient[pixel.gradient[c]], 1U);
      if ((pixel.sobel >> c & 1) != 0) atomicAdd(&channels[c].sobel, 1U);
    }
    for (const auto& partner : partners) {
      if (patch.region(x + partner[0], y + partner[1]) != region) continue;
      const FeaturePixel other = scene.planes[at + partner[1] * scene.width + partner[0]];
      for (std::size_t c = 0; c < 3; ++c) {
        const int pair = kHaralickLevels * haralick_level(pixel.value[c]) + haralick_level(other.value[c]);
        atomicAdd(&channels[c].pairs[static_cast<std::size_t>(pair)], 1U);
      }
    }
  });
}

/// The pixel's byte after one step: weak pixels beside a strong one of the same channel become strong.
__device__ std::uint8_t strengthened(const Patch& patch, int x, int y) {
  constexpr int weak = static_cast<int>(CannyClass::weak), strong = static_cast<int>(CannyClass::strong);
  const int byte = patch.bytes[y * patch.width + x];
  int result = byte;
  for (int shift = 2; shift <= 6; shift += 2) {
    if ((byte >> shift & 3) != weak) continue;
    bool beside = false;
    for (int v = y > 0 ? y - 1 : 0; v <= y + 1 && v < patch.height; ++v)
      for (int u = x > 0 ? x - 1 : 0; u <= x + 1 && u < patch.width; ++u)
        beside = beside || (patch.bytes[v * patch.width + u] >> shift & 3) == strong;
    if (beside) result = (result & ~(3 << shift)) | strong << shift;
  }
  return static_cast<std::uint8_t>(result);
}

/// Joins weak pixels to strong ones until nothing changes, then counts the strong ones.
__device__ void add_edges(Patch& patch, FeatureSums& sums) {
  while (true) {
    bool changed = false;
    for_patch(patch, [&](int x, int y, int i) {
      patch.other[i] = strengthened(patch, x, y);
      changed = changed || patch.other[i] != patch.bytes[i];
    });
    const bool again = __syncthreads_or(changed) != 0;
    std::uint8_t* const old = patch.bytes;
    patch.bytes = patch.other;
    patch.other = old;
    if (!again) break;
  }
  std::uint32_t counts[2][3] = {};
  for_patch(patch, [&](int, int, int i) {
    const int byte = patch.bytes[i], region = byte & 3;
    for (int c = 0; c < 3; ++c)
      if (region != 0 && (byte >> (2 * c + 2) & 3) == static_cast<int>(CannyClass::strong)) ++counts[region - 1][c];
  });
  for (std::size_t region = 0; region < 2; ++region)
    for (std::size_t c = 0; c < 3; ++c) add_to(sums.channels[region][c].canny, counts[region][c]);
}

/// The row of one object, by all threads of the block. `work`: a RowWork a warp.
template <class Work>
__device__ void measure(const Scene& scene, Patch patch, FeatureSums& sums, Work& work) {
  clear(sums);
  find_distances(scene, patch);
  __syncthreads();
  find_regions(scene, patch);
  __syncthreads();
  add_shape(scene, patch, sums);
  add_values(scene, patch, sums);
  __syncthreads();
  add_edges(patch, sums);
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  write_row_by_warps(sums, work[warp], warp, kWarps, scene.table.row(patch.label - 1));
  __syncthreads();
}

__global__ void __launch_bounds__(kThreads, kResident) small_kernel(Scene scene) {
  STARPATH_SHARED(FeatureSums, sums, 1);
  STARPATH_SHARED(RowWork, work, kWarps);
  STARPATH_SHARED(std::uint8_t, bytes, kSmallPixels);
  STARPATH_SHARED(std::uint8_t, other, kSmallPixels);
  const int object = static_cast<int>(blockIdx.x);
  if (scene.wanted[object] == 0) return;
  Patch patch = patch_of(scene, object);
  if (patch.size() > kSmallPixels) return;
  patch.bytes = bytes;
  patch.other = other;
  measure(scene, patch, sums[0], work);
}

/// `memory`: two bytes a pixel of the image, for each block.
__global__ void __launch_bounds__(kThreads) large_kernel(Scene scene, std::uint8_t* memory) {
  STARPATH_SHARED(FeatureSums, sums, 1);
  STARPATH_SHARED(RowWork, work, kWarps);
  const std::ptrdiff_t pixels = std::ptrdiff_t{scene.width} * scene.height;
  for (int object = static_cast<int>(blockIdx.x); object < scene.count; object += kLargeBlocks) {
    if (scene.wanted[object] == 0) continue;
    Patch patch = patch_of(scene, object);
    if (patch.size() <= kSmallPixels) continue;
    patch.bytes = memory + 2 * pixels * blockIdx.x;
    patch.other = patch.bytes + pixels;
    measure(scene, patch, sums[0], work);
  }
}

}  // namespace

void features(const KernelContext& context, RgbView rgb, View<const std::int32_t> labels,
              std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, const StainAmountTable& stains,
              View<double> table) {
  if (boxes.empty()) return;
  const Scratch::Mark mark(context.scratch);
  const auto count = static_cast<unsigned>(boxes.size());
  const Scene scene{rgb.width,
                    rgb.height,
                    labels,
                    feature_planes(context, rgb, &stains),
                    boxes.data(),
                    wanted.data(),
                    static_cast<int>(count),
                    table};
  launch(context, "features of small objects", dim3(count), dim3(kThreads), small_kernel, scene);
  std::uint8_t* const memory =
      context.scratch.take<std::uint8_t>(2 * kLargeBlocks * static_cast<std::size_t>(rgb.pixels())).data();
  launch(context, "features of large objects", dim3(kLargeBlocks), dim3(kThreads), large_kernel, scene, memory);
}

}  // namespace starpath::cuda
