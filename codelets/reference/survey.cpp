// The survey's counts, one after the other.
#include "codelets/kernels/survey.hpp"

namespace starpath::reference {
namespace {

/// The part of a field that is counted.
struct Core {
  RgbView rgb;
  GrayView difference;
  int x, y, width, height;
  Rgb white;

  int density(int value, int of_white) const { return density_below_white(kSurveyDensity, value, of_white); }
  int red(Rgb p) const { return density(p.r, white.r); }
  int green(Rgb p) const { return density(p.g, white.g); }
  int sum(Rgb p) const { return red(p) + green(p) + density(p.b, white.b); }

  /// Calls visit(colour, difference) for each pixel of a class.
  template <class Visit>
  void visit(SurveyClass what, const Visit& visit) const {
    for (int row = y; row < y + height; ++row)
      for (int column = x; column < x + width; ++column) {
        const Rgb p = rgb.at(column, row);
        const std::size_t d = difference.at(column, row);
        if (survey_class(p, static_cast<int>(d), white, red(p), green(p)) == what) visit(p, d);
      }
  }
};

std::size_t place(int step) { return static_cast<std::size_t>(step); }

}  // namespace

void survey(const KernelContext&, RgbView rgb, GrayView difference, int core_x, int core_y, int core_width,
            int core_height, int white_r, int white_g, int white_b, SurveyCounts* counts) {
  const Core core{
      rgb,
      difference,
      core_x,
      core_y,
      core_width,
      core_height,
      {static_cast<std::uint8_t>(white_r), static_cast<std::uint8_t>(white_g), static_cast<std::uint8_t>(white_b)}};
  using enum SurveyClass;
  *counts = {};
  for (const SurveyClass what : {glass, dark, pen, tissue})
    core.visit(what, [&](Rgb, std::size_t) { ++counts->pixels[static_cast<std::size_t>(what)]; });
  core.visit(glass, [&](Rgb p, std::size_t) { ++counts->glass[gray_value(p)]; });
  core.visit(tissue, [&](Rgb, std::size_t d) { ++counts->difference[d]; });
  core.visit(tissue, [&](Rgb p, std::size_t) { ++counts->haematoxylin[stain_values(p).haematoxylin]; });
  core.visit(tissue, [&](Rgb p, std::size_t d) { counts->colour[0][d] += p.r; });
  core.visit(tissue, [&](Rgb p, std::size_t d) { counts->colour[1][d] += p.g; });
  core.visit(tissue, [&](Rgb p, std::size_t d) { counts->colour[2][d] += p.b; });
  core.visit(tissue, [&](Rgb p, std::size_t d) {
    ++counts->amounts[d / kDifferenceStep][place(amount_step(haematoxylin_amount(p)))];
  });
  core.visit(tissue, [&](Rgb p, std::size_t) {
    if (core.sum(p) >= kStainedDensity)
      ++counts->directions[place(direction_step(core.red(p), core.sum(p)))]
                          [place(direction_step(core.green(p), core.sum(p)))];
  });
}

}  // namespace starpath::reference
