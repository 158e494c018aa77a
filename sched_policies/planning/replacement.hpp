// Whether new work comes as old work ends, as from programs that keep so many tasks in flight.
#pragma once

#include <algorithm>

namespace starpath {

/// What was submitted over what ended, lately: during the last eighth of the most that was ever outstanding, or the
/// last four tasks if that is more. What only raises that most fills the machine for the first time and replaces
/// nothing, so all that is submitted at once counts as 0. Work in any unit; not thread-safe.
class Replacement {
 public:
  /// `outstanding`: all work, with this.
  void came(double work, double outstanding) {
    const double growth = std::clamp(outstanding - most_, 0.0, work);
    most_ = std::max(most_, outstanding);
    came_ += work - growth;
  }
  void ended(double work) {
    if (most_ == 0) return;  // it is not known how long anything takes
    const double kept = std::max(1 - 1 / kFewest, 1 - kRecent * work / most_);
    came_ *= kept;
    ended_ = ended_ * kept + work;
  }
  /// Nothing is outstanding: what comes next is another graph.
  void all_ended() { *this = {}; }

  /// 0: nothing that ended was replaced; 1: everything was.
  double share() const { return ended_ > 0 ? std::min(1.0, came_ / ended_) : 0; }

 private:
  static constexpr double kRecent = 8;
  static constexpr double kFewest = 4;  // with fewer tasks in flight, what ended last would be all that counts

  double most_ = 0;
  double came_ = 0, ended_ = 0;
};

}  // namespace starpath
