// The known work that has not ended, ready or not.
#pragma once
#include "sched_policies/planning/work_by_upward_rank.hpp"

namespace starpath {

/// The known work: that of all tasks that were submitted and have not finished. It is in seconds for which it would
/// keep the whole machine busy, if every class took its share of each task.
struct Outstanding {
  double seconds = 0;
  double replaced = 0;                        ///< share of the work that ended lately that new work replaced, 0 to 1
  const WorkByUpwardRank* waiting = nullptr;  ///< tasks that use data and were not handed out; nullptr: none
};

}  // namespace starpath
