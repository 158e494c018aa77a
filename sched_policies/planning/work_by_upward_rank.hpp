// How much work there is of each upward rank, and so how much goes before a task if the longest chains go first.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace starpath {

/// Work in any unit, in levels of upward ranks that differ by at most a tenth. An upward rank is the time to the end of
/// the longest chain of tasks that begins with a task, seconds, from 1 us to an hour; what is beyond counts as that.
/// Not thread-safe.
class WorkByUpwardRank {
 public:
  using Level = std::uint8_t;

  static Level level(double upward_rank) {
    return static_cast<Level>(std::clamp(8 * std::log2(std::max(upward_rank, 1e-9) * 1e6), 0.0, 255.0));
  }

  void add(Level level, double work) {
    highest_ = std::max(highest_, level);
    levels_[level].work += work;
    ++levels_[level].tasks;
  }
  /// What was added to that level before.
  void remove(Level level, double work) {
    Sum& own = levels_[level];
    own.work -= work;
    if (--own.tasks > 0) return;
    own.work = 0;  // no rounding errors pile up
    while (highest_ > 0 && levels_[highest_].tasks == 0) --highest_;
  }
  void clear() { *this = {}; }

  /// What is of a higher level, and half of what is of this one.
  double before(Level level) const {
    double work = levels_[level].work / 2;
    for (std::size_t higher = highest_; higher > level; --higher) work += levels_[higher].work;
    return work;
  }

 private:
  struct Sum {
    double work = 0;
    std::size_t tasks = 0;
  };

  std::array<Sum, 256> levels_{};
  Level highest_ = 0;  // of those that have tasks
};

}  // namespace starpath
