// One execution of a task, as statistics and traces see it.
#pragma once
#include <optional>
#include <string_view>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Times are StarPU's clock: microseconds, simulated ones under SimGrid. They are those that the worker's driver can
/// tell: ExecutionTimes.
struct Execution {
  std::string_view codelet;  ///< as long as the codelet lives
  WorkerId worker = 0;
  double started = 0;
  double finished = 0;
  bool sure = true;                ///< ExecutionTimes::Span::sure
  std::optional<double> queued;    ///< when it was pushed; nullopt when it went past the policy
  std::optional<double> speedup;   ///< estimated speedup of this worker's class when it was queued
  std::optional<double> expected;  ///< seconds that the estimator expected when the worker took it
  int priority = 0;
  bool foreign = false;  ///< the task ran in another context, without a policy: it is not counted

  double seconds() const { return (finished - started) * 1e-6; }
  /// `seconds`, or nullopt where that tells nothing of the task or of this policy's.
  std::optional<double> measured() const { return sure && !foreign ? std::optional(seconds()) : std::nullopt; }
};

}  // namespace starpath
