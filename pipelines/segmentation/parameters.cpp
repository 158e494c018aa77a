// From micrometres to pixels.
#include "pipelines/segmentation/parameters.hpp"

#include <algorithm>
#include <cmath>

#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"

namespace starpath {
namespace {

/// The nearest whole number in [least, most].
int whole(double value, int least, int most) {
  return static_cast<int>(std::lround(std::clamp(value, static_cast<double>(least), static_cast<double>(most))));
}

}  // namespace

std::optional<NetworkScores> scores_of(const SegmentationParameters& parameters) {
  NetworkScores own{};
  if (is_learned(parameters)) {
    own = {weights_of(parameters).nucleus_score, weights_of(parameters).core_score};
  } else if (has_network(parameters) && !has_stars(parameters)) {
    const NetworkDescription& network = parameters.network->network().description;
    const auto score = network.kind == NetworkKind::hover ? linear_score_of : score_of_probability;
    own = {score(network.nucleus.threshold), score(network.second.threshold)};
  } else {
    return std::nullopt;
  }
  return NetworkScores{parameters.nucleus_score.value_or(own.nucleus), parameters.core_score.value_or(own.core)};
}

StainLevels levels_beside(const SegmentationParameters& parameters, const StainLevels& levels) {
  return {levels.background, std::max(levels.seed, parameters.nucleus_level.value_or(0)),
          std::min(levels.nucleus, parameters.seed_level.value_or(255)), levels.haematoxylin};
}

PixelParameters pixel_parameters(const SegmentationParameters& parameters, const StainLevels& of_slide, double mpp) {
  const StainLevels levels = levels_beside(parameters, of_slide);
  constexpr int most_pixels = 1 << 30, most_steps = 1 << 14, most_rounds = 16;
  const auto pixels = [&](double um2) {
    return um2 >= kAnyAreaUm2 ? kAnyArea : whole(um2 / (mpp * mpp), 0, most_pixels);
  };
  const int local_reach = whole(parameters.local_um / mpp, 0, kMaxLocalReach);
  PixelParameters all{
      .background_level = parameters.background_level.value_or(levels.background),
      .glass_share = whole(parameters.glass_percent * kGlassUnit / 100, 1, kGlassUnit),
      .red_high = whole(parameters.red_high * kRatioUnit, 1, 256 * kRatioUnit),
      .red_low = whole(parameters.red_low * kRatioUnit, 1, 256 * kRatioUnit),
      .haematoxylin_level = parameters.haematoxylin_level.value_or(levels.haematoxylin),
      .opening_reach = whole(parameters.opening_um / mpp, 1, kMaxOpeningReach),
      .reconstruction_steps = whole(parameters.reconstruction_um / mpp, 0, most_steps),
      .seed_level = parameters.seed_level.value_or(levels.seed),
      .seed_min_area = pixels(parameters.seed_min_um2),
      .seed_max_area = pixels(parameters.seed_max_um2),
      .nucleus_level = parameters.nucleus_level.value_or(levels.nucleus),
      .local_reach = local_reach,
      .local_weight = local_reach == 0 ? 0 : whole(parameters.local_weight * kWeightUnit, 0, kWeightUnit),
      .hole_max_area = pixels(parameters.hole_max_um2),
      .clump_min_area = pixels(parameters.clump_min_um2),
      .grow_steps = whole(parameters.grow_um / mpp, 0, most_rounds),
      .smooth_steps = whole(parameters.smooth_um / mpp, 0, most_rounds),
      .split_depth = whole(parameters.split_um / mpp * kDepthUnit, 0, kDepthMax),
      .nucleus_min_area = pixels(parameters.min_area_um2),
      .nucleus_max_area = pixels(parameters.max_area_um2),
  };
  if (is_learned(parameters)) {
    const LearnedDetector& weights = weights_of(parameters);
    all.channels_0 = weights.channels.of[0];
    all.channels_1 = weights.channels.of[1];
    all.channels_2 = weights.channels.of[2];
    all.channels_3 = weights.channels.of[3];
  }
  if (has_network(parameters))
    all.fields_reach = static_cast<int>(reach_of_fields(parameters.network->network().description));
  if (const auto scores = scores_of(parameters)) {
    all.nucleus_score = scores->nucleus;
    all.core_score = scores->core;
  } else {
    all.nucleus_score = parameters.nucleus_score.value_or(0);
    all.core_score = parameters.core_score.value_or(0);
  }
  return all;
}

}  // namespace starpath
