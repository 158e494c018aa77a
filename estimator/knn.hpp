// The kNN estimator: execution times and speedups of a task from the nearest tasks that have finished.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "estimator/codelet_samples.hpp"
#include "estimator/estimator.hpp"
#include "estimator/learner.hpp"

namespace starpath {

struct KnnSettings {
  std::size_t k = 2;            ///< neighbours averaged; at most 64
  std::size_t capacity = 1024;  ///< samples kept a codelet and class; some 300 bytes each
  std::uint64_t seed = 1;       ///< of the reservoirs
};

/// Estimates from the nearest samples of one codelet. Source: anthill-2010 section 4.
class KnnLearner : public Learner {
 public:
  explicit KnnLearner(KnnSettings settings) : k_(settings.k), samples_(settings.capacity, settings.seed) {}

  bool learn(std::span<const Sample> samples) override { return samples_.learn(samples); }

  /// Of the k samples of this class nearest to `features`; nullopt when there is none.
  std::optional<TimeEstimate> estimate(unsigned device_class, const Features& features) const override;

 private:
  std::size_t k_;
  CodeletSamples samples_;
};

/// Makes such learners.
MakeLearner knn_learner(KnnSettings settings);

/// An estimator of such learners.
class KnnEstimator : public Estimator {
 public:
  KnnEstimator() : KnnEstimator(KnnSettings{}) {}
  explicit KnnEstimator(KnnSettings settings) : Estimator(knn_learner(settings)) {}
};

}  // namespace starpath
