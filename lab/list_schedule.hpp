// What a plain list schedule makes of a workload when it knows every true time: a yardstick for policies.
#pragma once

#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// Makespan, seconds, of the list schedule: the task with the longest chain behind it first (each task of a chain where
/// it is fastest), on the worker that is done with it first. A task's data that is not in the worker's memory is copied
/// before it starts, one piece after another, each as fast as its link alone (the host's limit included), and nothing
/// overlaps that; results are copied home at the end. Throws Error (usage) when a task can run on no worker.
double list_schedule(const Workload& workload, const LabMachine& machine);

}  // namespace starpath::lab
