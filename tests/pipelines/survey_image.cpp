// A survey by plain calls of the kernels.
#include "tests/pipelines/survey_image.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/survey.hpp"
#include "pipelines/survey/derive.hpp"
#include "pipelines/survey/probes.hpp"

namespace starpath {
namespace {

RgbView part_of(RgbView image, const Rect& rect) {
  return {image.row(static_cast<int>(rect.y)) + rect.x, static_cast<int>(rect.width), static_cast<int>(rect.height),
          image.stride};
}

Probe probe_of(RgbView image, const ProbePlan::Patch& patch) {
  Probe probe{patch.field, {}};
  for (int y = 0; y < patch.side; ++y)
    for (int x = 0; x < patch.side; ++x) {
      const auto at_x = static_cast<int>(patch.x) + x, at_y = static_cast<int>(patch.y) + y;
      probe.pixels.push_back(image.contains(at_x, at_y) ? image.at(at_x, at_y) : Rgb{255, 255, 255});
    }
  return probe;
}

void count_field(const KernelContext& context, RgbView image, const Tile& field, Rgb white,
                 const SurveyOptions& options, SurveyCounts& counts) {
  const Scratch::Mark mark(context.scratch);
  const RgbView rgb = part_of(image, field.region);
  const auto plane = [&] {
    return View<std::uint8_t>{context.scratch.take<std::uint8_t>(static_cast<std::size_t>(rgb.pixels())).data(),
                              rgb.width, rgb.height, rgb.width};
  };
  const auto inverted = plane(), opened = plane(), difference = plane();
  cpu::morph_open(context, rgb, options.opening_reach, inverted, opened);
  cpu::recon_to_nuclei(context, inverted, opened, options.reconstruction_steps, difference);
  cpu::survey(context, rgb, difference, static_cast<int>(field.core.x - field.region.x),
              static_cast<int>(field.core.y - field.region.y), static_cast<int>(field.core.width),
              static_cast<int>(field.core.height), white.r, white.g, white.b, &counts);
}

}  // namespace

Survey survey_image(RgbView image, const SurveyOptions& options) {
  const std::vector<Tile> fields = survey_fields(image.width, image.height, options.roi);
  std::vector<Probe> probes;
  for (const ProbePlan::Patch& patch : plan_probes(fields, {{image.width, image.height, 1}}, 1).patches)
    probes.push_back(probe_of(image, patch));
  const std::optional<Rgb> white = find_white(probes);
  const std::vector<Tile> chosen = choose_fields(fields, probes, white.value_or(kDefaultWhite));
  std::vector<SurveyCounts> counts(chosen.size());
  Scratch scratch;
  for (std::size_t i = 0; i < chosen.size(); ++i)
    count_field(KernelContext{scratch}, image, chosen[i], white.value_or(kDefaultWhite), options, counts[i]);
  std::vector<Place> places;
  for (const Tile& field : chosen) places.push_back({field.core.x, field.core.y});
  return derive_survey({static_cast<std::int64_t>(fields.size()), white, 0, std::move(places)}, counts);
}

}  // namespace starpath
