// The samples of one codelet: taking them in.
#include "estimator/codelet_samples.hpp"

#include <cmath>

namespace starpath {

/// Makes `scale` cover `features`; returns whether it grew.
bool CodeletSamples::widen(Scale& scale, const Features& features) {
  bool grown = false;
  for (std::size_t d = 0; d < features.numeric_count; ++d) {
    const double value = std::abs(features.numeric[d]);
    if (value <= scale[d]) continue;
    scale[d] = value;
    grown = true;
  }
  return grown;
}

/// Returns whether the sample is kept.
bool CodeletSamples::place(const Sample& sample) {
  while (classes_.size() <= sample.device_class) classes_.emplace_back(capacity_, seed_ + classes_.size());
  return classes_[sample.device_class].add(sample.features, sample.seconds, scale_, sample.modelled);
}

bool CodeletSamples::learn(std::span<const Sample> samples) {
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

}  // namespace starpath
