// Cross-validation of a learner.
#include "estimator/validation.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>
#include <vector>

#include "estimator/knn.hpp"

namespace starpath {
namespace {

/// All samples of equal features.
struct Input {
  Features features;
  std::vector<Sample> samples;

  /// Mean seconds by class.
  std::map<unsigned, double> means() const {
    std::map<unsigned, std::pair<double, std::size_t>> sums;
    for (const Sample& sample : samples) {
      auto& [sum, count] = sums[sample.device_class];
      sum += sample.seconds;
      ++count;
    }
    std::map<unsigned, double> means;
    for (const auto& [id, sum] : sums) means[id] = sum.first / static_cast<double>(sum.second);
    return means;
  }
};

void add(std::vector<Input>& inputs, const Sample& sample) {
  const auto input = std::ranges::find(inputs, sample.features, &Input::features);
  if (input != inputs.end()) {
    input->samples.push_back(sample);
  } else {
    inputs.push_back({.features = sample.features, .samples = {sample}});
  }
}

/// What is not divided among folds: each input by itself, or all inputs of a part.
using Unit = std::vector<Input>;

std::vector<Unit> units_of(std::span<const Sample> samples, std::span<const unsigned> parts) {
  std::map<unsigned, Unit> by_part;
  for (std::size_t i = 0; i < samples.size(); ++i) add(by_part[parts.empty() ? 0 : parts[i]], samples[i]);
  std::vector<Unit> units;
  for (auto& [part, inputs] : by_part) {
    if (!parts.empty()) {
      units.push_back(std::move(inputs));
    } else {
      for (Input& input : inputs) units.push_back({std::move(input)});
    }
  }
  return units;
}

class Mean {
 public:
  void add(double value) {
    sum_ += value;
    ++count_;
  }
  std::size_t count() const { return count_; }
  std::optional<double> value() const {
    return count_ != 0 ? std::optional(sum_ / static_cast<double>(count_)) : std::nullopt;
  }

 private:
  double sum_ = 0;
  std::size_t count_ = 0;
};

double relative_error(double estimate, double truth) { return std::abs(estimate - truth) / truth; }

struct Means {
  Mean time, stated, speedup;

  MeanErrors errors() const {
    return {.time = time.value(),
            .stated = stated.value(),
            .speedup = speedup.value(),
            .times = time.count(),
            .speedups = speedup.count()};
  }
};

/// Of all samples, and of those of each class.
class Comparison {
 public:
  explicit Comparison(unsigned baseline) : baseline_(baseline) {}

  void compare(const Input& input, const Estimator& estimator) {
    for (const Sample& sample : input.samples) {
      const auto estimate = estimator.estimate(0, sample.device_class, input.features);
      if (!estimate) continue;
      add(&Means::time, sample.device_class, relative_error(estimate->seconds, sample.seconds));
      if (std::isfinite(estimate->error)) add(&Means::stated, sample.device_class, estimate->error);
    }
    const auto truth = input.means();
    const auto base = truth.find(baseline_);
    if (base == truth.end()) return;
    for (const auto& [id, seconds] : truth) {
      if (id == baseline_) continue;
      if (const auto estimate = estimator.speedup(0, baseline_, id, input.features))
        add(&Means::speedup, id, relative_error(*estimate, base->second / seconds));
    }
  }

  ValidationErrors errors() const {
    ValidationErrors errors{all_.errors(), {}};
    for (const Means& means : of_class_) errors.of_class.push_back(means.errors());
    return errors;
  }

 private:
  void add(Mean Means::*which, unsigned device_class, double error) {
    (all_.*which).add(error);
    if (device_class >= of_class_.size()) of_class_.resize(device_class + 1);
    (of_class_[device_class].*which).add(error);
  }

  unsigned baseline_;
  Means all_;
  std::vector<Means> of_class_;
};

}  // namespace

ValidationErrors cross_validate(std::span<const Sample> samples, const ValidationSettings& settings,
                                std::span<const unsigned> parts) {
  std::vector<Unit> units = units_of(samples, parts);
  const std::size_t folds = std::min(settings.folds, units.size());
  if (folds < 2) return {};
  std::mt19937_64 random(settings.seed);
  for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[random() % i]);

  const MakeLearner learner =
      settings.learner ? settings.learner : knn_learner({.k = settings.k, .capacity = samples.size()});
  Comparison comparison(settings.baseline);
  for (std::size_t fold = 0; fold < folds; ++fold) {
    Estimator estimator(learner);
    const unsigned codelet = estimator.codelet("");
    std::vector<Sample> others;
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (i % folds == fold) continue;
      for (const Input& input : units[i]) others.insert(others.end(), input.samples.begin(), input.samples.end());
    }
    estimator.learn(codelet, others);
    for (std::size_t i = fold; i < units.size(); i += folds) {
      for (const Input& input : units[i]) comparison.compare(input, estimator);
    }
  }
  return comparison.errors();
}

}  // namespace starpath
