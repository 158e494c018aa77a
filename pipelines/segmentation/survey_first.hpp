// What a run takes from a survey of its slide.
#pragma once
#include <atomic>
#include <optional>

#include "io/results/result_store.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/options.hpp"
#include "pipelines/survey/survey.hpp"

namespace starpath {

/// Whether the user leaves something to the slide. Where he says all three levels, and colours are not normalised
/// before the segmentation, there is no survey, and stains are the default ones.
bool wants_survey(const SegmentationParameters& parameters);

/// Sets the levels and stains of `options`.
void use_survey(const Survey& survey, SegmentationOptions& options);

/// Surveys the slide and sets the levels and stains of `options`. Nothing when none is wanted, or once `stop` is true.
/// StarPU must be running. Throws as survey_slide.
std::optional<Survey> survey_for(const io::WorkingSlide& slide, SegmentationOptions& options,
                                 const std::atomic<bool>& stop);

/// Before the first tile: the same with results, which may hold the survey already and hold it afterwards. Throws as
/// survey_slide, ResultStore and survey_from_json do.
std::optional<Survey> survey_first(const io::WorkingSlide& slide, io::ResultStore& store, SegmentationOptions& options,
                                   const std::atomic<bool>& stop);

/// The survey that the results hold, if they do.
std::optional<Survey> stored_survey(const io::ResultStore& store);

}  // namespace starpath
