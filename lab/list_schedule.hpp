// The makespan of a plain list schedule that knows every true time: a yardstick for policies.
#pragma once
#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// Makespan, seconds, of the list schedule. The task with the highest upward rank goes first (each task of its chain
/// where it is fastest), on the worker that is done with it first. Data that are not in the worker's memory are copied
/// before the task starts, one piece after another, as fast as the link and the host allow; nothing overlaps these
/// copies. Results are copied home at the end. Throws Error (usage) when a task can run on no worker.
double list_schedule(const Workload& workload, const LabMachine& machine);

}  // namespace starpath::lab
