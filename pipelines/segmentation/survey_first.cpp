// Surveys from slides, and from results.
#include "pipelines/segmentation/survey_first.hpp"

#include "pipelines/survey/survey_slide.hpp"

namespace starpath {
namespace {

constexpr const char* kKey = "survey";  // in the table `run`

}  // namespace

bool wants_survey(const SegmentationParameters& parameters) {
  return !parameters.background_level || !parameters.seed_level || !parameters.nucleus_level;
}

std::optional<Survey> stored_survey(const io::ResultStore& store) {
  const std::optional<std::string> stored = store.kept(kKey);
  if (!stored) return std::nullopt;
  return survey_from_json(*stored);
}

std::optional<Survey> survey_first(const io::WorkingSlide& slide, io::ResultStore& store, SegmentationOptions& options,
                                   const std::atomic<bool>& stop) {
  if (!wants_survey(options.parameters)) return std::nullopt;
  std::optional<Survey> survey = stored_survey(store);
  if (!survey) {
    const PixelParameters pixels = pixel_parameters(options.parameters, options.levels, options.target_mpp);
    survey = survey_slide(
        slide, {options.tiling.roi, options.attempts, pixels.opening_reach, pixels.reconstruction_steps}, stop);
    if (!survey) return std::nullopt;
    store.keep(kKey, to_json(*survey));
  }
  options.levels = {survey->background_level(), survey->levels.seed, survey->levels.nucleus};
  options.stains = survey->stains;
  return survey;
}

}  // namespace starpath
