// How much of the work that ends is replaced by new work, as by programs that keep a fixed number of tasks in flight.
#pragma once
#include <algorithm>

namespace starpath {

/// Measures which share of the work that ended lately was replaced by new work. "Lately" is while an eighth of the
/// maximum of outstanding work ended, or four tasks if that is more. Until an eighth has ended, the rest counts as not
/// replaced. Work that raises the maximum replaces nothing, so a graph that is submitted at once counts as 0. Work is
/// in any unit. Not thread-safe.
class Replacement {
 public:
  /// `outstanding`: all outstanding work, with this.
  void came(double work, double outstanding) {
    const double growth = std::clamp(outstanding - most_, 0.0, work);
    most_ = std::max(most_, outstanding);
    came_ += work - growth;
  }
  void ended(double work) {
    if (most_ == 0) return;  // no run times are known
    const double kept = std::max(1 - 1 / kFewest, 1 - kRecent * work / most_);
    came_ *= kept;
    ended_ = ended_ * kept + work;
  }
  /// Nothing is outstanding: what is submitted next is another graph.
  void all_ended() { *this = {}; }

  /// 0: nothing that ended was replaced; 1: everything was.
  double share() const { return ended_ > 0 ? std::min(1.0, came_ / std::max(ended_, most_ / kRecent)) : 0; }

 private:
  static constexpr double kRecent = 8;
  static constexpr double kFewest = 4;  // tasks: with fewer, only the last one would count

  double most_ = 0;
  double came_ = 0, ended_ = 0;
};

}  // namespace starpath
