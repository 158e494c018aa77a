// What a policy knows of a task that waits in its queue.
#pragma once
#include <array>
#include <cstdint>
#include <optional>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/eligibility.hpp"

namespace starpath {

/// Estimated speedups of one task over the baseline class, one a device class. An estimate that is not known is
/// nullopt: never 0, infinity or NaN.
class Speedups {
 public:
  std::optional<double> of(ClassId id) const { return known(id) ? std::optional<double>(values_[id]) : std::nullopt; }
  void set(ClassId id, double speedup) {
    values_[id] = speedup;
    known_ = static_cast<std::uint8_t>(known_ | 1U << id);
  }
  bool any() const { return known_ != 0; }

  void set_baseline(double seconds) { baseline_ = static_cast<float>(seconds); }
  /// The time on a class that follows from its speedup; nullopt where that, or the time on the baseline, was not set.
  std::optional<double> seconds(ClassId id) const {
    return known(id) && baseline_ > 0 ? std::optional(static_cast<double>(baseline_) / values_[id]) : std::nullopt;
  }

 private:
  bool known(ClassId id) const { return (known_ >> id & 1U) != 0; }

  std::array<double, kMaxDeviceClasses> values_{};
  std::uint8_t known_ = 0;  // a bit for each class
  float baseline_ = 0;      // seconds on the baseline class; 0: not set. What is before it leaves room for it
};
static_assert(kMaxDeviceClasses <= 8);

/// Codelets are told apart by name and numbered from 0 in order of first appearance.
using CodeletId = std::uint32_t;

/// What a policy keeps about a queued task beside its record: a base to derive from.
struct PolicyNode {};

/// One queued task. The caller keeps it alive and unchanged from push until pop returns it. What a pop reads is in the
/// first cache line: a long queue is cold.
struct alignas(64) TaskRecord {
  union {                        // for the policy's use while the task is queued
    TaskRecord* next = nullptr;  ///< the next task in the same queue
    PolicyNode* node;            ///< what the policy keeps about the task, if `has_node`
  };
  void* owner = nullptr;  ///< for the caller's use

  std::uint64_t sequence = 0;  ///< order of arrival; distinct for every task of a queue
  int priority = 0;            ///< higher is more urgent
  CodeletId codelet = 0;
  GroupId group = 0;         ///< the workers that may run it
  bool has_node = false;     ///< for the policy's use, as `node`
  bool brief = false;        ///< for the policy's use
  std::uint8_t guessed = 0;  ///< bit c: nobody measured its time on class c, and it was guessed

  Speedups speedups;  ///< as estimated when it was queued
};

}  // namespace starpath
