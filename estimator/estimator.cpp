// The estimator: codelets, and the learner of each.
#include "estimator/estimator.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>

namespace starpath {
namespace {

bool is_sound(const Sample& sample) { return std::isfinite(sample.seconds) && sample.seconds > 0; }

}  // namespace

unsigned Estimator::codelet(std::string_view name) {
  if (const auto found = numbers_.find(name); found != numbers_.end()) return found->second;
  const auto number = static_cast<unsigned>(codelets_.size());
  codelets_.push_back({.learner = make_(), .samples = {}});
  numbers_.emplace(name, number);
  return number;
}

std::optional<unsigned> Estimator::find(std::string_view name) const {
  const auto found = numbers_.find(name);
  return found != numbers_.end() ? std::optional(found->second) : std::nullopt;
}

bool Estimator::learn(unsigned codelet, const Sample& sample) { return learn(codelet, std::span(&sample, 1)) == 1; }

std::size_t Estimator::learn(unsigned codelet, std::span<const Sample> samples) {
  Codelet& known = codelets_[codelet];
  std::vector<Sample> sound;
  if (!std::ranges::all_of(samples, is_sound)) {
    std::ranges::copy_if(samples, std::back_inserter(sound), is_sound);
    samples = sound;
  }
  if (samples.empty()) return 0;
  for (const Sample& sample : samples) {
    if (sample.device_class >= known.samples.size()) known.samples.resize(sample.device_class + 1);
    ++known.samples[sample.device_class];
  }
  if (known.learner->learn(samples)) ++known.version;
  return samples.size();
}

std::optional<TimeEstimate> Estimator::estimate(unsigned codelet, unsigned device_class,
                                                const Features& features) const {
  return codelets_[codelet].learner->estimate(device_class, features);
}

std::optional<double> Estimator::seconds(unsigned codelet, unsigned device_class, const Features& features) const {
  const auto found = estimate(codelet, device_class, features);
  return found ? std::optional(found->seconds) : std::nullopt;
}

std::optional<double> Estimator::speedup(unsigned codelet, unsigned baseline, unsigned device_class,
                                         const Features& features) const {
  const auto base = seconds(codelet, baseline, features);
  const auto here = seconds(codelet, device_class, features);
  if (!base || !here) return std::nullopt;
  return *base / *here;
}

std::size_t Estimator::samples(unsigned codelet, unsigned device_class) const {
  const Codelet& known = codelets_[codelet];
  return device_class < known.samples.size() ? known.samples[device_class] : 0;
}

}  // namespace starpath
