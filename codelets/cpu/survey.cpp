// The survey's counts on a CPU core, in one pass.
#include "codelets/kernels/survey.hpp"

#include <span>

namespace starpath::cpu {
namespace {

/// Densities below white, by channel and value.
struct Tables {
  std::array<std::array<std::int32_t, 256>, 3> density;

  explicit Tables(Rgb white) {
    const std::array<int, 3> whites = {white.r, white.g, white.b};
    for (std::size_t channel = 0; channel < 3; ++channel)
      for (int v = 0; v < 256; ++v)
        density[channel][static_cast<std::size_t>(v)] = density_below_white(kSurveyDensity, v, whites[channel]);
  }
};

/// The counts of the tissue in a row. Two histograms of differences, because neighbours often have the same difference.
struct Tally {
  std::array<SurveyHistogram, 2> difference;
  SurveyCounts& counts;

  explicit Tally(SurveyCounts& into) : difference{}, counts(into) {}

  void add_tissue(Rgb p, std::uint8_t d, unsigned which) {
    ++difference[which][d];
    counts.colour[0][d] += p.r;
    counts.colour[1][d] += p.g;
    counts.colour[2][d] += p.b;
    const std::int32_t amount = haematoxylin_amount(p);
    ++counts.haematoxylin[stain_value(amount)];
    ++counts.amounts[d / kDifferenceStep][static_cast<std::size_t>(amount_step(amount))];
  }
  void finish() {
    for (std::size_t d = 0; d < 256; ++d) counts.difference[d] = difference[0][d] + difference[1][d];
  }
};

void count_row(std::span<const Rgb> pixels, const std::uint8_t* difference, Rgb white, const Tables& tables,
               Tally& tally) {
  SurveyCounts& counts = tally.counts;
  unsigned which = 0;
  for (const Rgb p : pixels) {
    const std::uint8_t d = *difference++;
    const std::int32_t red = tables.density[0][p.r], green = tables.density[1][p.g];
    const SurveyClass what = survey_class(p, d, white, red, green);
    ++counts.pixels[static_cast<std::size_t>(what)];
    if (what == SurveyClass::glass) ++counts.glass[gray_value(p)];
    if (what != SurveyClass::tissue) continue;
    tally.add_tissue(p, d, which ^= 1U);
    const std::int32_t sum = red + green + tables.density[2][p.b];
    if (sum < kStainedDensity) continue;
    ++counts.directions[static_cast<std::size_t>(direction_step(red, sum))]
                       [static_cast<std::size_t>(direction_step(green, sum))];
  }
}

}  // namespace

void survey(const KernelContext&, RgbView rgb, GrayView difference, int core_x, int core_y, int core_width,
            int core_height, int white_r, int white_g, int white_b, SurveyCounts* counts) {
  const Rgb white{static_cast<std::uint8_t>(white_r), static_cast<std::uint8_t>(white_g),
                  static_cast<std::uint8_t>(white_b)};
  *counts = {};
  const Tables tables(white);
  Tally tally(*counts);
  for (int y = core_y; y < core_y + core_height; ++y)
    count_row({rgb.row(y) + core_x, static_cast<std::size_t>(core_width)}, difference.row(y) + core_x, white, tables,
              tally);
  tally.finish();
}

}  // namespace starpath::cpu
