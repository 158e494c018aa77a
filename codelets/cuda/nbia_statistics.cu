// NBIA's colour conversion and statistics in one pass: a block converts 32x32 pixels and those around them into shared
// memory, counts there, and adds its counts to the image's.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/nbia_statistics.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr LabTables kTables = kLabTables;

constexpr int kSide = 32, kFull = kSide + 2,
              kRows = 8;  // of what a block counts, with its surroundings, of its threads
constexpr int kWords = sizeof(NbiaCounts) / sizeof(std::uint32_t);
static_assert(sizeof(NbiaCounts) == kWords * sizeof(std::uint32_t));

/// The three levels of a pixel, 4 bits each; `none` for a pixel outside the image.
constexpr std::uint16_t kNone = 0xFFFF;

__device__ void count_pairs(const std::uint16_t* levels, int at, NbiaCounts& counts) {
  const int partners[4] = {at + 1, at + kFull + 1, at + kFull, at + kFull - 1};
  const unsigned here = levels[at];
  for (const int partner : partners) {
    const unsigned there = levels[partner];
    if (there == kNone) continue;
    for (unsigned c = 0; c < 3; ++c)
      atomicAdd(&counts.pairs[c][kNbiaLevels * (here >> 4 * c & 15U) + (there >> 4 * c & 15U)], 1U);
  }
}

__global__ void __launch_bounds__(kSide* kRows) statistics_kernel(RgbView rgb, NbiaCounts* counts) {
  STARPATH_SHARED(NbiaCounts, block_counts, 1);
  STARPATH_SHARED(std::int32_t, light, kFull * kFull);
  STARPATH_SHARED(std::uint16_t, levels, kFull * kFull);
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y), thread = ty * kSide + tx;
  const int x0 = static_cast<int>(blockIdx.x) * kSide, y0 = static_cast<int>(blockIdx.y) * kSide;
  std::uint32_t* const sums = reinterpret_cast<std::uint32_t*>(&block_counts[0]);
  for (int i = thread; i < kWords; i += kSide * kRows) sums[i] = 0;
  __syncthreads();
  unsigned glass = 0;
  for (int i = thread; i < kFull * kFull; i += kSide * kRows) {
    const int u = i % kFull - 1, v = i / kFull - 1;
    levels[i] = kNone;
    light[i] = 0;
    if (!rgb.contains(x0 + u, y0 + v)) continue;
    const Lab lab = lab_of(kTables, rgb.at(x0 + u, y0 + v));
    const NbiaPixel pixel = nbia_pixel(lab);
    levels[i] = static_cast<std::uint16_t>(pixel.levels[0] | pixel.levels[1] << 4 | pixel.levels[2] << 8);
    light[i] = lab.l;
    if (pixel.glass && u >= 0 && u < kSide && v >= 0 && v < kSide) ++glass;
  }
  if (glass != 0) atomicAdd(&block_counts[0].glass, glass);
  __syncthreads();
  for (int y = ty; y < kSide; y += kRows) {
    if (!rgb.contains(x0 + tx, y0 + y)) continue;
    const int at = (y + 1) * kFull + tx + 1;
    count_pairs(levels, at, block_counts[0]);
    if (x0 + tx < 1 || x0 + tx + 1 >= rgb.width || y0 + y < 1 || y0 + y + 1 >= rgb.height) continue;
    atomicAdd(&block_counts[0].lbp[lbp_bin(lbp_samples(&light[at - kFull], &light[at], &light[at + kFull]))], 1U);
  }
  __syncthreads();
  std::uint32_t* const all = reinterpret_cast<std::uint32_t*>(counts);
  for (int i = thread; i < kWords; i += kSide * kRows)
    if (sums[i] != 0) atomicAdd(&all[i], sums[i]);
}

}  // namespace

void nbia_statistics(const KernelContext& context, RgbView rgb, NbiaCounts* counts) {
  const auto pixels = static_cast<std::uint32_t>(rgb.pixels());
  for_items(context, "begin counts", kWords,
            [=] __device__(std::int64_t i) { reinterpret_cast<std::uint32_t*>(counts)[i] = 0; });
  launch(context, "nbia_statistics", dim3(parts_of(rgb.width, kSide), parts_of(rgb.height, kSide)), dim3(kSide, kRows),
         statistics_kernel, rgb, counts);
  for_items(context, "count pixels", 1, [=] __device__(std::int64_t) { counts->pixels = pixels; });
}

}  // namespace starpath::cuda
