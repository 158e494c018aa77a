// How often a model is right on labelled fields.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "pipelines/nbia/decision.hpp"
#include "pipelines/nbia/field_sources.hpp"
#include "pipelines/nbia/model.hpp"

namespace starpath {

/// What a model says of labelled fields.
struct NbiaEvaluation {
  std::map<NbiaLabel, std::map<NbiaLabel, std::int64_t>> fields;  // truth -> decision -> how many
  std::map<int, std::int64_t> decided;                            // level -> how many
  std::int64_t total = 0, right = 0, low_confidence = 0, out_of_range = 0;
  std::int64_t trained_on = 0;     // fields that the model learnt from
  std::vector<std::string> lines;  // what there is to say of the fields

  void add(NbiaLabel truth, const NbiaDecision& decision);
  /// Of those whose truth is not background, which is easy: how many, and how many of them are right.
  std::pair<std::int64_t, std::int64_t> tissue() const;
};

/// Throws as visit_fields(), and Error{input} when there is no field.
NbiaEvaluation evaluate_nbia(const NbiaModel& model, const FieldSources& from);

}  // namespace starpath
