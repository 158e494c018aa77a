// The kNN estimator.
#include "estimator/knn.hpp"

#include <memory>

namespace starpath {

std::optional<TimeEstimate> KnnLearner::estimate(unsigned device_class, const Features& features) const {
  const SampleSet* const samples = samples_.of(device_class);
  return samples != nullptr ? samples->nearest(features, k_, samples_.scale()) : std::nullopt;
}

MakeLearner knn_learner(KnnSettings settings) {
  return [settings] { return std::make_unique<KnnLearner>(settings); };
}

}  // namespace starpath
