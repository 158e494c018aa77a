// What is known of other codelets says of one that a device class has not run yet.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <optional>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// What nobody measured: run times of one task on classes without an estimate. They are no estimates, and never taken
/// for such.
struct Guesses {
  ClassSeconds seconds;  ///< nullopt: there is an estimate, or nothing is known of the codelet
};

/// Guesses the time of a codelet on a class that has no sample of it: its time on another class, times the typical
/// ratio of both. That is the geometric mean of the ratios of other codelets that ran on both classes, and of one more
/// codelet, which an accelerator is assumed to run kAssumed times as fast as a core. So the first ratios that are
/// measured move it by and by. An accelerator's first run of a codelet is no sample, as it may wait for its code to be
/// loaded: its own time is at most that. Not thread-safe.
class ClassRatios {
 public:
  explicit ClassRatios(const Machine& machine) : machine_(&machine) {}

  /// What one task of the codelet takes, by class.
  void measured(std::size_t codelet, const ClassSeconds& seconds) { of(codelet).measured = seconds; }
  /// An accelerator's first run of the codelet took so long.
  void ran_first(std::size_t codelet, ClassId id, double seconds) { of(codelet).first[id] = seconds; }

  /// For a task of the codelet that takes `seconds` where that is known.
  Guesses guess(std::size_t codelet, const ClassSeconds& seconds) const {
    const ClassSeconds first = codelet < codelets_.size() ? codelets_[codelet].first : ClassSeconds{};
    Guesses guesses;
    const ClassSeconds from = any(seconds) ? seconds : first;
    if (!any(from)) return guesses;
    for (ClassId id = 0; id < classes(); ++id) {
      if (seconds[id]) continue;
      guesses.seconds[id] = converted(from, id);
      if (first[id]) guesses.seconds[id] = std::min(*guesses.seconds[id], *first[id]);
    }
    return guesses;
  }

  /// Which of the classes `single`, that have one sample of the codelet each, are not to be believed: those whose time
  /// is over kBeyond times the guess from the other classes. Something may have delayed the one task that ran there,
  /// and by such a time the class would never get a second one, which could tell. A class that is as slow as that gets
  /// one task too many.
  ClassSet doubted(std::size_t codelet, const ClassSeconds& seconds, const ClassSet& single) const {
    ClassSet found;
    for (ClassId id = 0; id < classes(); ++id) {
      if (!single[id] || !seconds[id]) continue;
      ClassSeconds others = seconds;
      others[id].reset();
      if (any(others)) found[id] = *seconds[id] > kBeyond * *guess(codelet, others).seconds[id];
    }
    return found;
  }

 private:
  // Of 6, 8 and 12 the best on drawn workflows whose codelets gain 1 to 40 times (bench/results/policies.md).
  static constexpr double kAssumed = 8;
  static constexpr double kBeyond = 8;  // these are at most 5 times off the guess

  struct Codelet {
    ClassSeconds measured, first;
  };

  std::size_t classes() const { return machine_->classes().size(); }
  Codelet& of(std::size_t codelet) {
    if (codelet >= codelets_.size()) codelets_.resize(codelet + 1);
    return codelets_[codelet];
  }
  bool any(const ClassSeconds& seconds) const {
    for (ClassId id = 0; id < classes(); ++id) {
      if (seconds[id]) return true;
    }
    return false;
  }
  double assumed(ClassId id) const {
    return machine_->classes()[id].kind == DeviceKind::accelerator ? 1 / kAssumed : 1;
  }

  /// The logarithm of the typical time on `to` over that on `from`.
  double ratio(ClassId from, ClassId to) const {
    double sum = std::log(assumed(to) / assumed(from));
    std::size_t codelets = 1;
    for (const Codelet& known : codelets_) {
      if (!known.measured[from] || !known.measured[to]) continue;
      sum += std::log(*known.measured[to] / *known.measured[from]);
      ++codelets;
    }
    return sum / static_cast<double>(codelets);
  }

  /// The geometric mean of what follows from each class whose time is in `seconds`.
  double converted(const ClassSeconds& seconds, ClassId to) const {
    double sum = 0;
    std::size_t known = 0;
    for (ClassId id = 0; id < classes(); ++id) {
      if (!seconds[id]) continue;
      sum += std::log(*seconds[id]) + ratio(id, to);
      ++known;
    }
    return std::exp(sum / static_cast<double>(known));
  }

  const Machine* machine_;
  std::vector<Codelet> codelets_;  // by number
};

}  // namespace starpath
