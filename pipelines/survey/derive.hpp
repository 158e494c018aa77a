// From the counts of fields to the survey of a slide. Pure.
#pragma once
#include <optional>
#include <span>

#include "codelets/kernels/survey.hpp"
#include "pipelines/survey/survey.hpp"

namespace starpath {

/// The facts about a slide that count beside its fields.
struct SurveyedSlide {
  std::int64_t fields_of = 0;   // of the region of interest
  std::optional<Rgb> white;     // find_white
  std::int64_t unreadable = 0;  // fields that could not be read
  std::vector<Place> places;    // of the fields that could
};

/// The survey of a slide from its fields, in any order: the result depends on their sums, and on the stains that each
/// field gives alone. Doubles come from integers, by + - * / and square roots alone.
Survey derive_survey(const SurveyedSlide& slide, std::span<const SurveyCounts> fields);

/// The survey with the levels that its fields have on the colours of the reference: `fields` are the counts of these.
Survey with_levels_of_reference(Survey survey, std::span<const SurveyCounts> fields);

}  // namespace starpath
