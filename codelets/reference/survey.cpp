// The survey's counts in plain loops.
#include "codelets/kernels/survey.hpp"

namespace starpath::reference {
namespace {

void count(Rgb p, std::uint8_t difference, Rgb white, SurveyCounts& counts) {
  const int red = density_below_white(kSurveyDensity, p.r, white.r);
  const int green = density_below_white(kSurveyDensity, p.g, white.g);
  const int blue = density_below_white(kSurveyDensity, p.b, white.b);
  const SurveyClass what = survey_class(p, difference, white, red, green);
  ++counts.pixels[static_cast<std::size_t>(what)];
  if (what == SurveyClass::glass) ++counts.glass[gray_value(p)];
  if (what != SurveyClass::tissue) return;
  ++counts.difference[difference];
  ++counts.haematoxylin[stain_values(p).haematoxylin];
  counts.colour[0][difference] += p.r;
  counts.colour[1][difference] += p.g;
  counts.colour[2][difference] += p.b;
  ++counts.amounts[static_cast<std::size_t>(difference / kDifferenceStep)]
                  [static_cast<std::size_t>(amount_step(haematoxylin_amount(p)))];
  const int sum = red + green + blue;
  if (sum < kStainedDensity) return;
  ++counts.directions[static_cast<std::size_t>(direction_step(red, sum))]
                     [static_cast<std::size_t>(direction_step(green, sum))];
}

}  // namespace

void survey(const KernelContext&, RgbView rgb, GrayView difference, int core_x, int core_y, int core_width,
            int core_height, int white_r, int white_g, int white_b, SurveyCounts* counts) {
  const Rgb white{static_cast<std::uint8_t>(white_r), static_cast<std::uint8_t>(white_g),
                  static_cast<std::uint8_t>(white_b)};
  *counts = {};
  for (int y = core_y; y < core_y + core_height; ++y)
    for (int x = core_x; x < core_x + core_width; ++x) count(rgb.at(x, y), difference.at(x, y), white, *counts);
}

}  // namespace starpath::reference
