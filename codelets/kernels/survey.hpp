// The counts of one field for the survey of a slide: which pixels are tissue, and the look of the tissue.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "codelets/kernels/deconvolution.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/kernel_context.hpp"

namespace starpath {

/// The kind of a pixel of a slide, for the survey. Only tissue counts for levels and stains.
enum class SurveyClass : std::uint8_t { glass, dark, pen, tissue };

/// Glass lets nine tenths of the light through, or more. `white`: the value of empty glass in a channel.
STARPATH_HD constexpr int glass_level(int white) { return white * 9 / 10; }

/// Densities (deconvolution.hpp) relative to white, in units of 1 / kDensityUnit, 0 for pixels brighter than white.
inline constexpr int kDensityUnit = 16;
using DensityTable = std::array<std::int16_t, 256>;
inline constexpr DensityTable kSurveyDensity = [] {
  DensityTable table{};
  for (std::size_t v = 0; v < 256; ++v)
    table[v] = static_cast<std::int16_t>((kDensityTable[v] * kDensityUnit + 32768) >> 16);
  return table;
}();
STARPATH_HD constexpr int density_below_white(const DensityTable& table, int value, int white) {
  const int density = table[static_cast<std::size_t>(value)] - table[static_cast<std::size_t>(white)];
  return density < 0 ? 0 : density;
}

/// An optical density of `log10` in these units.
constexpr int survey_density(double log10) {
  return static_cast<int>(log10 * kDensityUnit * 255 * portable_log2(10.0) / portable_log2(255.0) + 0.5);
}
/// A pixel has a direction of its own, rather than that of the noise, from this sum of its densities on: on average the
/// threshold of Macenko et al. 2009 in each channel.
inline constexpr int kStainedDensity = 3 * survey_density(0.15);
/// Ink is at least this dense in red.
inline constexpr int kPenDensity = survey_density(0.3);

/// Directions of optical density: the shares of red and green in the sum of the three, in steps of 1 / kDirectionSteps.
inline constexpr int kDirectionSteps = 128;

/// Steps of the difference, and of the amount of haematoxylin (haematoxylin_amount) in kAmountStep each; the last one
/// holds more too, the first one less.
inline constexpr int kDifferenceStep = 4, kDifferenceSteps = 256 / kDifferenceStep;
inline constexpr int kAmountStep = 2, kAmountSteps = 128;
STARPATH_HD constexpr int amount_step(std::int32_t amount) {
  const int step = amount / (kAmountStep << 16);
  return amount < 0 ? 0 : step < kAmountSteps ? step : kAmountSteps - 1;
}

using SurveyHistogram = std::array<std::uint32_t, 256>;

/// Sums over the core of a field. A core has at most 2^23 pixels.
struct SurveyCounts {
  std::array<std::uint32_t, 4> pixels;    // by SurveyClass
  SurveyHistogram glass;                  // of the gray value of glass
  SurveyHistogram difference;             // of tissue, by operation 4
  SurveyHistogram haematoxylin;           // of tissue, by the default stains
  std::array<SurveyHistogram, 3> colour;  // sums of R, G and B of tissue, by its difference
  std::array<std::array<std::uint32_t, kDirectionSteps>, kDirectionSteps> directions;  // [red][green], stained tissue
  std::array<std::array<std::uint32_t, kAmountSteps>, kDifferenceSteps> amounts;  // [difference][haematoxylin], tissue
};
static_assert(sizeof(SurveyCounts) == sizeof(std::uint32_t) * (4 + 6 * 256 + kDirectionSteps * kDirectionSteps +
                                                               kDifferenceSteps * kAmountSteps));

/// Where a stained pixel is counted; `density` has a sum > 0.
STARPATH_HD constexpr int direction_step(int density, int sum) {
  const int step = density * kDirectionSteps / sum;
  return step < kDirectionSteps ? step : kDirectionSteps - 1;
}

/// By colour, densities and difference (operation 4). Dark: less than a fifth of the light in every channel, and of red
/// also around it, so that no nucleus is it, but black ink, folds of many layers, a frame, the ground of fluorescence.
/// Pen: dense in red and much less in green, as blue and green ink are and no stain of tissue is.
STARPATH_HD constexpr SurveyClass survey_class(Rgb p, int difference, Rgb white, int red_density, int green_density) {
  if (p.r > glass_level(white.r) && p.g > glass_level(white.g) && p.b > glass_level(white.b)) return SurveyClass::glass;
  if (5 * (p.r + difference) < white.r && 5 * p.g < white.g && 5 * p.b < white.b) return SurveyClass::dark;
  if (red_density >= kPenDensity && 5 * red_density > 7 * green_density) return SurveyClass::pen;
  return SurveyClass::tissue;
}

STARPATH_DECLARE_KERNEL(
    /// Overwrites `counts` with the counts of the pixels (core_x, core_y) .. (+ core_width, + core_height) of a field.
    /// `difference` is operation 4 of `rgb`, of the same size. The white_* are the values of empty glass, 1..255.
    /// Integers only, so that sums over fields have the same bits in any order.
    void survey(const KernelContext& context, RgbView rgb, GrayView difference, int core_x, int core_y, int core_width,
                int core_height, int white_r, int white_g, int white_b, SurveyCounts* counts))

}  // namespace starpath
