// Surveys from slides, and from results.
#include "pipelines/segmentation/survey_first.hpp"

#include "pipelines/segmentation/normalisation.hpp"
#include "pipelines/survey/survey_slide.hpp"

namespace starpath {
namespace {

constexpr const char* kKey = "survey";  // in the table `run`

}  // namespace

bool wants_survey(const SegmentationParameters& parameters) {
  return !parameters.background_level || !parameters.seed_level || !parameters.nucleus_level ||
         normalised_by(parameters.normalise) == Normalised::first;
}

std::optional<Survey> stored_survey(const io::ResultStore& store) {
  const std::optional<std::string> stored = store.kept(kKey);
  if (!stored) return std::nullopt;
  return survey_from_json(*stored);
}

void use_survey(const Survey& survey, SegmentationOptions& options) {
  options.levels = {survey.background_level(), survey.levels.seed, survey.levels.nucleus, survey.levels.haematoxylin};
  options.stains = survey.stains;
  options.stains_are_certain = survey.stain_confidence() > 50;
  options.look.reset();
  if (normalised_by(options.parameters.normalise) != Normalised::nothing) options.look = look_of(survey);
}

std::optional<Survey> survey_for(const io::WorkingSlide& slide, SegmentationOptions& options,
                                 const std::atomic<bool>& stop) {
  if (!wants_survey(options.parameters)) return std::nullopt;
  const PixelParameters pixels = pixel_parameters(options.parameters, options.levels, options.target_mpp);
  std::optional<Survey> survey = survey_slide(
      slide,
      {options.tiling.roi, options.attempts, pixels.opening_reach, pixels.reconstruction_steps, options.log,
       options.gpus_prepared, options.tiling.wanted, normalised_by(options.parameters.normalise) == Normalised::first},
      stop);
  if (survey) use_survey(*survey, options);
  return survey;
}

std::optional<Survey> survey_first(const io::WorkingSlide& slide, io::ResultStore& store, SegmentationOptions& options,
                                   const std::atomic<bool>& stop) {
  if (!wants_survey(options.parameters)) return std::nullopt;
  auto survey = stored_survey(store);
  if (survey) {
    use_survey(*survey, options);
  } else {
    survey = survey_for(slide, options, stop);
    if (survey) store.keep(kKey, to_json(*survey));
  }
  return survey;
}

}  // namespace starpath
