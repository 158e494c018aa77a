// A model's classifier on fields that it has not seen: labelled fields judged by the others. Pure.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "codelets/kernels/nbia_classify.hpp"
#include "pipelines/nbia/model.hpp"
#include "pipelines/nbia/training_samples.hpp"

namespace starpath {

/// Folds at most: more would take longer and say little more.
inline constexpr std::size_t kNbiaFolds = 20;

struct CrossValidation {
  std::string by;                            // the unit that was held out: "image", "annotation" or "field"
  std::vector<std::vector<NbiaVote>> votes;  // [level][sample]: the votes of the samples of the other folds
};

/// Holds out the fields of whole images together, since fields of one image look alike. Where that would leave a fold
/// without samples of both labels or with fewer than kNbiaNeighbours, annotations are held out, else single fields.
/// Each label has at least kNbiaNeighbours samples. The same samples give the same votes.
CrossValidation cross_validate(const std::vector<TrainingSample>& samples, const std::vector<int>& sides);

/// Share of fields like those it was trained on that a model calls out of range: 1 in 100, or, of fewer than 99
/// samples, 1 in their number + 1.
double nbia_false_alarms(std::size_t samples);

/// The distance that a field like the samples exceeds with the chance nbia_false_alarms(votes.size()): conformal_range
/// of the distances of held-out fields.
std::int32_t nbia_range(const std::vector<NbiaVote>& votes);

/// Counts of the votes at a level beside those at the last one.
NbiaValidation validate_level(const std::vector<TrainingSample>& samples, const std::vector<NbiaVote>& votes,
                              const std::vector<NbiaVote>& last);

/// Whether a level's clear votes may decide: there are some, and cross-validation finds them right at least as often as
/// the last level's votes on the same fields.
bool is_supported(const NbiaValidation& validation);

}  // namespace starpath
