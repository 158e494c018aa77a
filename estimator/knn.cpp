// The kNN estimator.
#include "estimator/knn.hpp"

#include <cmath>
#include <memory>

namespace starpath {

/// Makes `scale` cover `features`; returns whether it grew.
bool KnnLearner::widen(Scale& scale, const Features& features) {
  bool grown = false;
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) {
    const double value = std::abs(features.numeric[d]);
    if (value <= scale[d]) continue;
    scale[d] = value;
    grown = true;
  }
  return grown;
}

/// Returns whether the sample is kept.
bool KnnLearner::place(const Sample& sample) {
  while (classes_.size() <= sample.device_class) {
    classes_.emplace_back(settings_.capacity, settings_.seed + classes_.size());
  }
  return classes_[sample.device_class].add(sample.features, sample.seconds, scale_, sample.modelled);
}

bool KnnLearner::learn(std::span<const Sample> samples) {
  bool changed = false;
  for (const Sample& sample : samples) {
    if (widen(scale_, sample.features)) changed = true;
  }
  if (changed) {
    for (SampleSet& set : classes_) set.rescale(scale_);
  }
  for (const Sample& sample : samples) {
    if (place(sample)) changed = true;
  }
  return changed;
}

std::optional<TimeEstimate> KnnLearner::estimate(unsigned device_class, const Features& features) const {
  if (device_class >= classes_.size()) return std::nullopt;
  return classes_[device_class].nearest(features, settings_.k, scale_);
}

MakeLearner knn_learner(KnnSettings settings) {
  return [settings] { return std::make_unique<KnnLearner>(settings); };
}

}  // namespace starpath
