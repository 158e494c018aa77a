// What a second of each device class is worth, from the mix of submitted work.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Prices by class: the dual of the area bound's linear program over everything that was submitted. If all of it is
/// shared out so that the classes are done together, each task runs where its seconds times the price are least, and
/// only work that may go either way costs the same on two classes. So the ratio of two classes' prices is the speedup
/// from which on a task belongs on the faster of them. Ignores dependencies, copies, when tasks become
/// ready and which workers are present.
/// What was submitted long ago counts less: by half after some ten thousand tasks. Not thread-safe.
class ClassPrices {
 public:
  explicit ClassPrices(const Machine& machine);

  /// A task that takes so many seconds on each class; nullopt where it cannot run. O(log kinds).
  void submitted(const ClassSeconds& seconds);

  /// By class, the highest 1; empty as long as nothing is known that more than one class can run. Within a few percent
  /// of the optimum. Costs O(kinds) when a sixteenth of what counts is new, else nothing; there are at most 256 kinds,
  /// the commonest.
  std::span<const double> prices();

 private:
  using Ratios = std::array<std::int8_t, kMaxDeviceClasses>;
  using Seconds = std::array<double, kMaxDeviceClasses>;
  /// Tasks whose seconds have the same ratios within a fifth.
  struct Kind {
    Ratios ratios;
    Seconds seconds{};  // of all of them, weighted; infinite where they cannot run
    double weight = 0;
  };
  void solve();
  void forget();
  void drop_rare();

  std::vector<unsigned> workers_;           // by class
  std::map<Ratios, std::uint32_t> number_;  // of a kind
  std::vector<Kind> kinds_;
  std::uint32_t last_ = 0;  // number of the last task's
  double weight_ = 1;       // of the next task; grows, which is how older ones count less
  double total_ = 0, fresh_ = 0;
  bool choice_ = false;  // whether there is a task for more than one class
  std::vector<double> prices_, loads_;
};

}  // namespace starpath
