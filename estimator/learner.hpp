// The interface of what learns how long tasks take, so that other learners may take the place of kNN.
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <span>

#include "estimator/features.hpp"
#include "estimator/time_estimate.hpp"

namespace starpath {

/// Learns from the finished tasks of one codelet how long its tasks take on each device class.
/// Thread safety: no call overlaps `learn`. Calls of `estimate` may overlap. Callers hold locks that scheduling waits
/// for, so a learner waits for nothing and calls nothing of StarPU. Source: anthill-2010 section 4, which says that the
/// second phase of the estimator "can employ different strategies".
class Learner {
 public:
  virtual ~Learner() = default;

  /// Takes in finished tasks, whose seconds are finite and > 0. Returns whether an estimate may be another one now.
  virtual bool learn(std::span<const Sample> samples) = 0;

  /// Of a task with these features on a class; nullopt: not known.
  virtual std::optional<TimeEstimate> estimate(unsigned device_class, const Features& features) const = 0;
};

/// Makes the learner of one codelet.
using MakeLearner = std::function<std::unique_ptr<Learner>()>;

}  // namespace starpath
