// What a second of each device class is worth, from the mix of submitted tasks.
#pragma once
#include <array>
#include <map>
#include <span>
#include <utility>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/planning/ratios.hpp"

namespace starpath {

/// Says what a second of each device class, and of the bus of main memory, is worth. The prices are the dual of a
/// linear program: in which time could the machine do all submitted tasks, if each could be divided among the classes,
/// and copies had only the bus to share? In its solution each task runs on the class where its seconds and its copies
/// cost least. So a task belongs on the faster of two classes if its speedup there is above the ratio of their prices.
/// Where the bus decides, workers that wait for it are cheap. Dependencies, absent workers and the times at which tasks
/// become ready are ignored. Older tasks count less. Not thread-safe.
class ClassPrices {
 public:
  explicit ClassPrices(const Machine& machine);

  /// A task was submitted; nullopt: it cannot run on that class. O(log types).
  void submitted(const ClassSeconds& seconds);
  /// One of them is ready. `copies`: seconds that its copies take alone, by class, where they take least there.
  void ready(const ClassSeconds& seconds, std::span<const double> copies);

  /// The price of a second of each class, and last that of the bus, on which `width` links can copy at a time. The
  /// highest is 1. Empty until a task was submitted that more than one class can run. Within a few percent of the
  /// optimum. O(types) if an eighth of the tasks is new, else O(1). If there are more than 256 types, the rarer half is
  /// forgotten.
  std::span<const double> prices(double width = 1);
  std::size_t types() const { return types_.size(); }

 private:
  using Seconds = std::array<double, kMaxDeviceClasses>;
  /// Tasks whose seconds on the classes have the same ratios within a quarter.
  struct Type {
    Seconds seconds{};  // sum over its tasks; infinite where they cannot run
    Seconds copies{};   // sum over those that were ready
    double tasks = 0, ready = 0;
  };
  Type* type_of(const ClassSeconds& seconds, bool add);
  void solve();
  void age();
  void forget_rarest();

  std::vector<double> workers_;  // by class; last the width of the bus
  std::map<Ratios, Type> types_;
  std::pair<const Ratios, Type>* last_ = nullptr;  // of the last task
  double tasks_ = 0;                               // of all types
  double fresh_ = 0;                               // those submitted or ready since the prices were computed
  bool choice_ = false;                            // a task can run on more than one class
  std::vector<double> prices_, loads_;             // as `workers_`
};

}  // namespace starpath
