// Lower bounds on a makespan: no schedule of any policy can be shorter.
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace starpath::lab {

/// A task as a bound sees it.
struct BoundTask {
  /// Seconds on a worker of each class; infinity where it cannot run. At least one is finite, none is below 0.
  std::vector<double> seconds;
  /// Tasks (by index, each below this one's) that must have finished before it starts.
  std::vector<unsigned> after;
};

/// The area bound: the least T for which fractions of the tasks can be shared out so that no class works longer than T
/// times its workers. Ignores dependencies, transfers, and that a task runs in one place. `workers[c]` is the number of
/// workers of class c; tasks give as many seconds. The linear program is solved in its dual by cutting planes (GLPK),
/// so that time grows only in proportion to the number of tasks. The result is never above the optimum and within 1e-6
/// of it. 0 without tasks. Throws Error (usage) when a task can run on no class that has workers. Not thread-safe: GLPK
/// is not.
double area_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers);

/// The longest chain of dependent tasks when each runs where it is fastest. Errors as above.
double critical_path(std::span<const BoundTask> tasks, std::span<const unsigned> workers);

/// Up to this many tasks `makespan_bound` solves the program that knows areas and chains together.
inline constexpr std::size_t kMostTasksOfDagBound = 400;

/// The bound that respects areas and chains at once: the least T for which fractions of the tasks can be shared out
/// under two conditions. No class works longer than T times its workers, and every chain fits into T, with each task as
/// long as its fractions make it. At least the larger of the two bounds above. Meant for at most kMostTasksOfDagBound
/// tasks. Errors as above.
double dag_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers);

/// dag_bound where that is affordable, else the larger of area_bound and critical_path.
double makespan_bound(std::span<const BoundTask> tasks, std::span<const unsigned> workers);

}  // namespace starpath::lab
