// A block of threads measures an object. Small objects are worked on in shared memory, the few others in global memory.
#pragma once
#include "codelets/cuda/feature_rows.hpp"
#include "codelets/kernels/features.hpp"

namespace starpath::cuda {

inline constexpr int kObjectThreads = 128, kObjectWarps = kObjectThreads / 32;

/// The objects that are measured, and where their rows go.
struct Objects {
  View<const std::int32_t> labels;
  const ObjectBox* boxes;
  const std::uint8_t* wanted;
  int count;
  View<double> table;
};

/// The rectangle around an object in which its ring lies, and two bytes for each of its pixels.
struct Patch {
  std::int32_t label;
  int x0, y0, width, height;
  /// `other` is first the distance to the object along the row, or far. `bytes` is the Region of each pixel.
  std::uint8_t *bytes, *other;

  STARPATH_HD int size() const { return width * height; }
  __device__ int region(int x, int y) const {
    return x >= 0 && x < width && y >= 0 && y < height ? bytes[y * width + x] & 3 : 0;
  }
};

STARPATH_HD inline Patch patch_of(const Objects& objects, int object) {
  const RingBox around(objects.boxes[object], objects.labels.width, objects.labels.height);
  return {object + 1, around.x0, around.y0, around.width(), around.height(), nullptr, nullptr};
}

/// Calls body(x, y, index) for the patch's pixels, spread over the block's threads.
template <class Body>
__device__ void for_patch(const Patch& patch, Body body) {
  for (int i = static_cast<int>(threadIdx.x); i < patch.size(); i += kObjectThreads)
    body(i % patch.width, i / patch.width, i);
}

/// to += the sum of `value` over the block's threads. All threads call this.
__device__ inline void add_to(std::int64_t& to, std::int64_t value) {
  const auto sum = static_cast<unsigned long long>(warp_sum(static_cast<long long>(value)));
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(reinterpret_cast<unsigned long long*>(&to), sum);
}
__device__ inline void add_to(std::uint32_t& to, std::uint32_t value) {
  const unsigned sum = warp_sum(static_cast<unsigned>(value));
  if (threadIdx.x % 32 == 0 && sum != 0) atomicAdd(&to, sum);
}

namespace detail {

constexpr int kSmallPixels = 4096;  // of the rectangle around an object and its ring
constexpr int kResident = 6;  // blocks that a multiprocessor should hold: a block takes up to 21 of its 228 KiB of
                              // shared memory
constexpr int kLargeBlocks = 4;
constexpr std::uint8_t kFar = 255;

template <class Sums>
__device__ void clear(Sums& sums) {
  auto* const words = reinterpret_cast<std::uint32_t*>(&sums);
  for (std::size_t i = threadIdx.x; i < sizeof sums / sizeof *words; i += kObjectThreads) words[i] = 0;
}

__device__ inline void find_distances(View<const std::int32_t> labels, const Patch& patch) {
  for_patch(patch, [&](int x, int y, int i) {
    const std::int32_t* const row = labels.row(patch.y0 + y) + patch.x0;
    std::uint8_t distance = kFar;
    for (int d = 0; d <= kRingDistance && distance == kFar; ++d)
      if ((x - d >= 0 && row[x - d] == patch.label) || (x + d < patch.width && row[x + d] == patch.label))
        distance = static_cast<std::uint8_t>(d);
    patch.other[i] = distance;
  });
}

__device__ inline void find_regions(View<const std::int32_t> labels, const Patch& patch) {
  for_patch(patch, [&](int x, int y, int i) {
    const std::int32_t label = labels.at(patch.x0 + x, patch.y0 + y);
    bool near = false;
    for (int dy = -kRingDistance; dy <= kRingDistance && !near && label == 0; ++dy) {
      if (y + dy < 0 || y + dy >= patch.height) continue;
      const int d = patch.other[i + dy * patch.width];
      near = d != kFar && d * d + dy * dy <= kRingDistance * kRingDistance;
    }
    const Region region = label == patch.label ? Region::nucleus : near ? Region::ring : Region::outside;
    patch.bytes[i] = static_cast<std::uint8_t>(region);
  });
}

/// The row of one object, by all threads of the block. `work`: a RowWork a warp.
template <class Family, class Work>
__device__ void measure(const Objects& objects, Patch patch, const Family& family, typename Family::Sums& sums,
                        Work& work) {
  clear(sums);
  find_distances(objects.labels, patch);
  __syncthreads();
  find_regions(objects.labels, patch);
  __syncthreads();
  family.add(objects, patch, sums);
  __syncthreads();
  const int warp = static_cast<int>(threadIdx.x) / 32;
  family.write(sums, work[warp], warp, objects.table.row(patch.label - 1));
  __syncthreads();
}

template <class Family>
__global__ void __launch_bounds__(kObjectThreads, kResident) small_objects(Objects objects, Family family) {
  STARPATH_SHARED(typename Family::Sums, sums, 1);
  STARPATH_SHARED(RowWork, work, kObjectWarps);
  STARPATH_SHARED(std::uint8_t, bytes, kSmallPixels);
  STARPATH_SHARED(std::uint8_t, other, kSmallPixels);
  const int object = static_cast<int>(blockIdx.x);
  if (objects.wanted[object] == 0) return;
  Patch patch = patch_of(objects, object);
  if (patch.size() > kSmallPixels) return;
  patch.bytes = bytes;
  patch.other = other;
  measure(objects, patch, family, sums[0], work);
}

/// `memory`: two bytes a pixel of the image, for each block.
template <class Family>
__global__ void __launch_bounds__(kObjectThreads) large_objects(Objects objects, Family family, std::uint8_t* memory) {
  STARPATH_SHARED(typename Family::Sums, sums, 1);
  STARPATH_SHARED(RowWork, work, kObjectWarps);
  const std::ptrdiff_t pixels = objects.labels.pixels();
  for (int object = static_cast<int>(blockIdx.x); object < objects.count; object += kLargeBlocks) {
    if (objects.wanted[object] == 0) continue;
    Patch patch = patch_of(objects, object);
    if (patch.size() <= kSmallPixels) continue;
    patch.bytes = memory + 2 * pixels * blockIdx.x;
    patch.other = patch.bytes + pixels;
    measure(objects, patch, family, sums[0], work);
  }
}

}  // namespace detail

/// Measures the wanted objects. A family has the members
///   Sums                          counts of one object, in shared memory, of whole 32-bit words; they begin as 0
///   add(objects, patch, sums)     by all threads of a block, which may call __syncthreads
///   write(sums, work, warp, row)  by each warp: its part of the row
template <class Family>
void measure_objects(const KernelContext& context, const char* name, View<const std::int32_t> labels,
                     std::span<const ObjectBox> boxes, std::span<const std::uint8_t> wanted, View<double> table,
                     const Family& family) {
  if (boxes.empty()) return;
  const Scratch::Mark mark(context.scratch);
  const auto count = static_cast<unsigned>(boxes.size());
  const Objects objects{labels, boxes.data(), wanted.data(), static_cast<int>(count), table};
  launch(context, name, dim3(count), dim3(kObjectThreads), detail::small_objects<Family>, objects, family);
  std::uint8_t* const memory =
      context.scratch.take<std::uint8_t>(2 * detail::kLargeBlocks * static_cast<std::size_t>(labels.pixels())).data();
  launch(context, name, dim3(detail::kLargeBlocks), dim3(kObjectThreads), detail::large_objects<Family>, objects,
         family, memory);
}

/// Calls write(region, channel) for the regions and channels that are this warp's.
template <class Write>
__device__ void for_channels_of_warp(int warp, Write write) {
  for (int k = warp; k < static_cast<int>(kRegionCount) * kStainChannels; k += kObjectWarps)
    write(static_cast<std::size_t>(k / kStainChannels), static_cast<std::size_t>(k % kStainChannels));
}

}  // namespace starpath::cuda
