// Cross-validation of the kNN estimator.
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

struct Mean {
  double sum = 0;
  std::size_t count = 0;
  void add(double estimate, double truth) {
    sum += std::abs(estimate - truth) / truth;
    ++count;
  }
  std::optional<double> value() const {
    return count != 0 ? std::optional(sum / static_cast<double>(count)) : std::nullopt;
  }
};

void compare(const Input& input, const KnnEstimator& estimator, unsigned baseline, Mean& time, Mean& speedup) {
  for (const Sample& sample : input.samples) {
    if (const auto estimate = estimator.seconds(0, sample.device_class, input.features)) {
      time.add(*estimate, sample.seconds);
    }
  }
  const auto truth = input.means();
  const auto base = truth.find(baseline);
  if (base == truth.end()) return;
  for (const auto& [id, seconds] : truth) {
    if (id == baseline) continue;
    if (const auto estimate = estimator.speedup(0, baseline, id, input.features)) {
      speedup.add(*estimate, base->second / seconds);
    }
  }
}

}  // namespace

ValidationErrors cross_validate(std::span<const Sample> samples, const ValidationSettings& settings,
                                std::span<const unsigned> parts) {
  std::vector<Unit> units = units_of(samples, parts);
  const std::size_t folds = std::min(settings.folds, units.size());
  if (folds < 2) return {};
  std::mt19937_64 random(settings.seed);
  for (std::size_t i = units.size(); i > 1; --i) std::swap(units[i - 1], units[random() % i]);

  Mean time;
  Mean speedup;
  for (std::size_t fold = 0; fold < folds; ++fold) {
    KnnEstimator estimator({.k = settings.k, .capacity = samples.size()});
    const unsigned codelet = estimator.codelet("");
    for (std::size_t i = 0; i < units.size(); ++i) {
      if (i % folds == fold) continue;
      for (const Input& input : units[i]) estimator.learn(codelet, input.samples);
    }
    for (std::size_t i = fold; i < units.size(); i += folds) {
      for (const Input& input : units[i]) compare(input, estimator, settings.baseline, time, speedup);
    }
  }
  return {.time = time.value(), .speedup = speedup.value(), .times = time.count, .speedups = speedup.count};
}

}  // namespace starpath
