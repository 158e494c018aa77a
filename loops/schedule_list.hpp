// All schedules, by name.
#pragma once
#include <memory>
#include <string_view>
#include <vector>

#include "loops/schedule.hpp"

namespace starpath::loops {

struct ScheduleName {
  const char* name;
  const char* description;
};

/// The schedules that make_schedule knows.
const std::vector<ScheduleName>& schedule_names();

/// A schedule by name. Throws std::invalid_argument, naming the known ones, when there is none of that name, and as
/// resolved() does.
std::unique_ptr<Schedule> make_schedule(std::string_view name, const LoopSetup& setup);

}  // namespace starpath::loops
