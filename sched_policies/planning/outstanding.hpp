// What is known to be still to do, ready or not.
#pragma once

#include "sched_policies/planning/work_by_upward_rank.hpp"

namespace starpath {

/// All tasks that were submitted and have not finished. Work is in seconds that it would keep the whole machine busy,
/// if every class took its share of each task.
struct Outstanding {
  double seconds = 0;
  double replaced = 0;  ///< share of what ended lately that newly submitted tasks replaced, 0 to 1
  const WorkByUpwardRank* waiting = nullptr;  ///< tasks that use data and that nobody has taken; nullptr: none
};

}  // namespace starpath
