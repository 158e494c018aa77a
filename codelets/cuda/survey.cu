// The survey's counts: a block counts a stretch of rows in shared memory and adds its counts to the field's.
// Directions and amounts, which are many and seldom the same, go to the field's counts directly.
#include "codelets/cuda/seam.hpp"
#include "codelets/kernels/survey.hpp"

namespace starpath::cuda {
namespace {

__device__ constexpr DensityTable kDensities = kSurveyDensity;
__device__ constexpr StainAmountTable kAmounts = kStainAmountTable;
__device__ constexpr StainValueTable kValues = kStainValueTable;

constexpr int kColumns = 32, kRows = 8, kRowsOfBlock = 64;  // of threads; of pixels
/// The part of the counts that a block keeps in shared memory: all but directions and amounts, which stand last.
constexpr int kWords = static_cast<int>(offsetof(SurveyCounts, directions) / sizeof(std::uint32_t));
constexpr int kAllWords = static_cast<int>(sizeof(SurveyCounts) / sizeof(std::uint32_t));

/// Positions of the parts of SurveyCounts in words.
constexpr int kAmountsAt = static_cast<int>(offsetof(SurveyCounts, amounts) / sizeof(std::uint32_t));
constexpr int kGlassAt = 4, kDifferenceAt = 4 + 256, kHaematoxylinAt = 4 + 2 * 256, kColourAt = 4 + 3 * 256;

struct Field {
  RgbView rgb;
  GrayView difference;
  int x0, y0, width, height;  // of the core
  Rgb white;
};

__global__ void __launch_bounds__(kColumns* kRows) survey_kernel(Field field, std::uint32_t* counts) {
  STARPATH_SHARED(std::uint32_t, sums, kWords);
  const int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y), thread = ty * kColumns + tx;
  for (int i = thread; i < kWords; i += kColumns * kRows) sums[i] = 0;
  __syncthreads();
  const int x = static_cast<int>(blockIdx.x) * kColumns + tx, first = static_cast<int>(blockIdx.y) * kRowsOfBlock;
  for (int y = first + ty; x < field.width && y < first + kRowsOfBlock && y < field.height; y += kRows) {
    const Rgb p = field.rgb.at(field.x0 + x, field.y0 + y);
    const int red = density_below_white(kDensities, p.r, field.white.r);
    const int green = density_below_white(kDensities, p.g, field.white.g);
    const int d = field.difference.at(field.x0 + x, field.y0 + y);
    const SurveyClass what = survey_class(p, d, field.white, red, green);
    atomicAdd(&sums[static_cast<int>(what)], 1U);
    if (what == SurveyClass::glass) atomicAdd(&sums[kGlassAt + gray_value(p)], 1U);
    if (what != SurveyClass::tissue) continue;
    atomicAdd(&sums[kDifferenceAt + d], 1U);
    atomicAdd(&sums[kHaematoxylinAt + stain_values(p, kAmounts, kValues).haematoxylin], 1U);
    atomicAdd(&sums[kColourAt + d], static_cast<unsigned>(p.r));
    atomicAdd(&sums[kColourAt + 256 + d], static_cast<unsigned>(p.g));
    atomicAdd(&sums[kColourAt + 512 + d], static_cast<unsigned>(p.b));
    atomicAdd(&counts[kAmountsAt + d / kDifferenceStep * kAmountSteps + amount_step(haematoxylin_amount(p, kAmounts))],
              1U);
    const int sum = red + green + density_below_white(kDensities, p.b, field.white.b);
    if (sum < kStainedDensity) continue;
    atomicAdd(&counts[kWords + direction_step(red, sum) * kDirectionSteps + direction_step(green, sum)], 1U);
  }
  __syncthreads();
  for (int i = thread; i < kWords; i += kColumns * kRows)
    if (sums[i] != 0) atomicAdd(&counts[i], static_cast<unsigned>(sums[i]));
}

}  // namespace

void survey(const KernelContext& context, RgbView rgb, GrayView difference, int core_x, int core_y, int core_width,
            int core_height, int white_r, int white_g, int white_b, SurveyCounts* counts) {
  const Rgb white{static_cast<std::uint8_t>(white_r), static_cast<std::uint8_t>(white_g),
                  static_cast<std::uint8_t>(white_b)};
  std::uint32_t* const words = reinterpret_cast<std::uint32_t*>(counts);
  for_items(context, "begin survey", kAllWords, [=] __device__(std::int64_t i) { words[i] = 0; });
  launch(context, "survey", dim3(parts_of(core_width, kColumns), parts_of(core_height, kRowsOfBlock)),
         dim3(kColumns, kRows), survey_kernel, Field{rgb, difference, core_x, core_y, core_width, core_height, white},
         words);
}

}  // namespace starpath::cuda
