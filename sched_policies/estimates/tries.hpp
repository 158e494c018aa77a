// Which implementation of a codelet to try, though it may not be the fastest.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <compare>
#include <cstdint>
#include <map>

#include "estimator/features.hpp"
#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// Decides for codelets that have several implementations on a class when a task runs in another one than that which is
/// estimated to be the fastest. Of n tasks for which an implementation was not the fastest, about log2(n) try it: the
/// first, and one whenever n has doubled. For its samples may be few, odd, or of other inputs. Inputs of different
/// sizes count apart; they are of one size where each numeric parameter has the same power of two. Source: Lai and
/// Robbins, "Asymptotically efficient adaptive allocation rules" (1985): a rule that finds the best choice tries the
/// others about log(n) times. Not thread-safe.
class Tries {
 public:
  static constexpr unsigned kImplementations = 8;  ///< of a codelet on a class, at most

  /// A sample of an earlier run, whose first category is the implementation: this run goes on where that one ended.
  void remember(unsigned codelet, ClassId id, const Features& features) {
    const auto implementation = static_cast<std::uint64_t>(features.categorical[0]);
    if (implementation >= kImplementations) return;
    Counts& counts = counts_[{codelet, id, size_of(features)}];
    ++counts.remembered;
    ++counts.of[implementation].remembered;
    for (Count& one : counts.of) {
      one.passed = counts.remembered;
      one.tried = std::min(one.remembered, tries_of(one.passed));
    }
  }

  /// The implementation for a task: `fastest`, or another one among the bits of `mask`, to try it.
  unsigned choose(unsigned mask, unsigned fastest, unsigned codelet, ClassId id, const Features& features) {
    Counts& counts = counts_[{codelet, id, size_of(features)}];
    unsigned chosen = fastest;
    for (unsigned i = 0; i < kImplementations; ++i) {
      if (i == fastest || (mask >> i & 1U) == 0) continue;
      Count& one = counts.of[i];
      ++one.passed;
      if (chosen != fastest || one.tried >= tries_of(one.passed)) continue;
      ++one.tried;
      chosen = i;
    }
    return chosen;
  }

 private:
  using Size = std::array<std::int16_t, Features::kMaxNumeric>;
  struct Key {
    unsigned codelet;
    ClassId id;
    Size size;
    auto operator<=>(const Key&) const = default;
  };

  struct Count {
    unsigned remembered = 0;
    unsigned passed = 0;  // tasks for which it was not the fastest
    unsigned tried = 0;   // those that ran in it all the same
  };
  struct Counts {
    unsigned remembered = 0;
    std::array<Count, kImplementations> of;
  };

  static unsigned tries_of(unsigned passed) { return static_cast<unsigned>(std::bit_width(passed)); }
  static Size size_of(const Features& features) {
    Size size{};
    std::ranges::transform(features.numeric, size.begin(), [](double value) {
      return static_cast<std::int16_t>(value == 0 ? -2000 : std::ilogb(value));
    });
    return size;
  }

  std::map<Key, Counts> counts_;
};

}  // namespace starpath
