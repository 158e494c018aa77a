// Local linear regression: execution times from the trend among the nearest tasks that have finished.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "estimator/codelet_samples.hpp"
#include "estimator/learner.hpp"

namespace starpath {

/// Fits a plane through the seconds of the 16 nearest samples, in kNN's distance, and takes its height at the task. A
/// nearer sample counts more (tricube kernel; Cleveland, Robust locally weighted regression and smoothing scatterplots,
/// 1979). A sample of half the seconds counts twice, so that a delayed task decides little. A small ridge keeps the
/// plane flat where samples do not tell its slope.
class LinearLearner : public Learner {
 public:
  /// `capacity`: samples kept a class; `seed`: of their choice.
  LinearLearner(std::size_t capacity, std::uint64_t seed) : samples_(capacity, seed) {}

  bool learn(std::span<const Sample> samples) override { return samples_.learn(samples); }

  /// From half of the least to twice the most of these samples' seconds; its error is their spread about the plane.
  std::optional<TimeEstimate> estimate(unsigned device_class, const Features& features) const override;

 private:
  CodeletSamples samples_;
};

}  // namespace starpath
