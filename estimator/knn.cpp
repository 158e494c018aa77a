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

std::optional<unsigned> KnnEstimator::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found != numbers_.end() ? std::optional(found->second) : std::nullopt;
}

bool KnnEstimator::is_sound(const Sample& sample) { return std::isfinite(sample.seconds) && sample.seconds > 0; }

/// Makes `scale` cover `features`; returns whether it grew.
bool KnnEstimator::widen(Scale& scale, const Features& features) {
  bool grown = false;
  for (std::size_t d = 0; d < Features::kMaxNumeric; ++d) {
    const double value = std::abs(features.numeric[d]);
    if (value <= scale[d]) continue;
    scale[d] = value;
    grown = true;
  }
  return grown;
}

void KnnEstimator::place(Codelet& known, const Sample& sample) {
  while (known.classes.size() <= sample.device_class) {
    known.classes.emplace_back(settings_.capacity, settings_.seed + known.classes.size());
  }
  if (known.classes[sample.device_class].add(sample.features, sample.seconds, known.scale, sample.modelled))
    ++known.version;
}

bool KnnEstimator::learn(unsigned codelet, const Sample& sample) { return learn(codelet, std::span(&sample, 1)) == 1; }

std::size_t KnnEstimator::learn(unsigned codelet, std::span<const Sample> samples) {
  Codelet& known = codelets_[codelet];
  bool grown = false;
  for (const Sample& sample : samples) {
    if (is_sound(sample) && widen(known.scale, sample.features)) grown = true;
  }
  if (grown) {
    ++known.version;
    for (SampleSet& set : known.classes) set.rescale(known.scale);
  }
  std::size_t taken = 0;
  for (const Sample& sample : samples) {
    if (!is_sound(sample)) continue;
    place(known, sample);
    ++taken;
  }
  return taken;
}

std::optional<Neighbours> KnnEstimator::nearest(unsigned codelet, unsigned device_class,
                                                const Features& features) const {
  const Codelet& known = codelets_[codelet];
  if (device_class >= known.classes.size()) return std::nullopt;
  return known.classes[device_class].nearest(features, settings_.k, known.scale);
}

std::optional<double> KnnEstimator::seconds(unsigned codelet, unsigned device_class, const Features& features) const {
  const auto found = nearest(codelet, device_class, features);
  return found ? std::optional(found->seconds) : std::nullopt;
}

std::optional<double> KnnEstimator::speedup(unsigned codelet, unsigned baseline, unsigned device_class,
                                            const Features& features) const {
  const auto base = seconds(codelet, baseline, features);
  const auto here = seconds(codelet, device_class, features);
  if (!base || !here) return std::nullopt;
  return *base / *here;
}

std::size_t KnnEstimator::samples(unsigned codelet, unsigned device_class) const {
  const Codelet& known = codelets_[codelet];
  return device_class < known.classes.size() ? known.classes[device_class].size() : 0;
}

}  // namespace starpath
