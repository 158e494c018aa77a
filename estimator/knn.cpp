// The kNN estimator.
#include "estimator/knn.hpp"

#include <cmath>

namespace starpath {

unsigned KnnEstimator::codelet(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<unsigned>(codelets_.size());
  numbers_.emplace(name, number);
  codelets_.emplace_back();
  return number;
}

bool KnnEstimator::learn(unsigned codelet, const Sample& sample) {
  if (!std::isfinite(sample.seconds) || sample.seconds <= 0) return false;
  Codelet& own = codelets_[codelet];
  while (own.classes.size() <= sample.device_class) {
    own.classes.emplace_back(settings_.capacity, settings_.seed + own.classes.size());
  }
  bool grown = false;
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) {
    const double value = std::abs(sample.features.numeric[d]);
    if (value <= own.scale[d]) continue;
    own.scale[d] = value;
    grown = true;
  }
  if (grown) {
    for (SampleSet& set : own.classes) set.rescale(own.scale);
  }
  own.classes[sample.device_class].add(sample.features, sample.seconds, own.scale);
  ++own.version;
  return true;
}

std::optional<double> KnnEstimator::seconds(unsigned codelet, unsigned device_class, const Features& features) const {
  const Codelet& own = codelets_[codelet];
  if (device_class >= own.classes.size()) return std::nullopt;
  return own.classes[device_class].mean_of_nearest(features, settings_.k, own.scale);
}

std::optional<double> KnnEstimator::speedup(unsigned codelet, unsigned baseline, unsigned device_class,
                                            const Features& features) const {
  const auto base = seconds(codelet, baseline, features);
  const auto own = seconds(codelet, device_class, features);
  if (!base || !own) return std::nullopt;
  return *base / *own;
}

std::size_t KnnEstimator::samples(unsigned codelet, unsigned device_class) const {
  const Codelet& own = codelets_[codelet];
  return device_class < own.classes.size() ? own.classes[device_class].size() : 0;
}

}  // namespace starpath
