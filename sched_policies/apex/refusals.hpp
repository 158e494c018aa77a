// How often workers were refused in a row: what keeps them from leaving a task to each other for ever.
#pragma once
#include <cstddef>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// A worker is refused when it asks and is told to leave what is queued to others. Refusals are counted until a task is
/// queued, is handed out or ends. Not thread-safe.
class Refusals {
 public:
  explicit Refusals(std::size_t workers) : refused_(workers) {}

  void note(WorkerId worker) {
    ++count_;
    refused_[worker] = true;
  }
  /// A task was queued, was handed out or ended.
  void reset() {
    if (count_ == 0) return;
    count_ = 0;
    refused_.assign(refused_.size(), false);
  }

  /// There were more refusals than workers, so a worker that is expected to take what is queued does not ask.
  bool stuck() const { return count_ > refused_.size(); }

  /// Whether a task may be left to `worker`. While stuck an idle worker counts only if it was refused itself, for only
  /// then is it known to ask. After twice as many refusals as workers no idle worker counts: workers that look at
  /// different tasks could name each other for ever. A busy worker always counts: it asks when its task ends.
  bool will_ask(WorkerId worker, bool idle) const {
    if (!stuck() || !idle) return true;
    return refused_[worker] && count_ <= 2 * refused_.size();
  }

 private:
  std::size_t count_ = 0;
  std::vector<bool> refused_;
};

}  // namespace starpath
