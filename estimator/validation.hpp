// Cross-validation: how good a learner is on samples it has not seen.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "estimator/features.hpp"
#include "estimator/learner.hpp"

namespace starpath {

/// Mean relative errors, as fractions of the true value (0.1: 10 %). nullopt when nothing could be compared.
struct MeanErrors {
  std::optional<double> time;     ///< over all samples with an estimate
  std::optional<double> stated;   ///< the mean of TimeEstimate::error over those of them where it is finite
  std::optional<double> speedup;  ///< over samples of other classes than the baseline with a true and an estimated one
  std::size_t times = 0;          ///< how many were compared
  std::size_t speedups = 0;
};

struct ValidationErrors : MeanErrors {
  std::vector<MeanErrors> of_class;  ///< by class; of those that were compared
};

struct ValidationSettings {
  std::size_t folds = 10;
  std::size_t k = 2;
  unsigned baseline = 0;     ///< the class that speedups are relative to
  std::uint64_t seed = 1;    ///< of the assignment to folds
  MakeLearner learner = {};  ///< what is validated; empty: kNN of `k` neighbours that keeps all samples
};

/// Splits the samples of one codelet into folds at random and estimates each fold from the others. Samples of equal
/// features share a fold, so that no input is estimated from itself. The true speedup of an input is
/// the mean time on the baseline over the mean time on the class, among its samples. Fewer folds are used when there
/// are fewer inputs; with less than two inputs nothing can be compared. `parts` may give each sample the number of the
/// part that it comes from, such as a slide: then the samples of a part share a fold, and no part is estimated from
/// itself. Source: anthill-2010 section 4.
ValidationErrors cross_validate(std::span<const Sample> samples, const ValidationSettings& settings,
                                std::span<const unsigned> parts = {});

}  // namespace starpath
