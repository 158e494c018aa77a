// What a second of each device class is worth, from the mix of submitted tasks.
#pragma once
#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Prices by class: the dual of the area bound's linear program over all submitted tasks. In its solution all classes
/// finish together, and each task runs on the class where its seconds times the price are least. So the ratio of two
/// prices is the speedup from which on a task belongs on the faster class. Dependencies, copies, absent workers and the
/// times at which tasks become ready are ignored. Older tasks count less: by half after some ten thousand tasks.
/// Not thread-safe.
class ClassPrices {
 public:
  explicit ClassPrices(const Machine& machine);

  /// A task was submitted; nullopt: it cannot run on that class. O(log kinds).
  void submitted(const ClassSeconds& seconds);

  /// By class; the highest is 1. Empty until a task was submitted that more than one class can run. Within a few
  /// percent of the optimum. O(kinds) if a sixteenth of the weight is new, else O(1); the 256 commonest kinds are kept.
  std::span<const double> prices();

 private:
  using Ratios = std::array<std::int8_t, kMaxDeviceClasses>;
  using Seconds = std::array<double, kMaxDeviceClasses>;
  /// Tasks whose seconds on the classes have the same ratios within a fifth.
  struct Kind {
    Ratios ratios;
    Seconds seconds{};  // weighted sum over its tasks; infinite where they cannot run
    double weight = 0;
  };
  void solve();
  void forget();
  void drop_rare();

  std::vector<unsigned> workers_;           // by class
  std::map<Ratios, std::uint32_t> number_;  // of a kind
  std::vector<Kind> kinds_;
  std::uint32_t last_ = 0;  // the kind of the last task
  double weight_ = 1;       // of the next task; it grows, so that older tasks count less
  double total_ = 0;        // weight of all tasks
  double fresh_ = 0;        // weight of those submitted since the prices were computed
  bool choice_ = false;     // a task can run on more than one class
  std::vector<double> prices_, loads_;
};

}  // namespace starpath
