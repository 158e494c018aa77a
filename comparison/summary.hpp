// From single runs to what is compared. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "comparison/record.hpp"

namespace starpath {

/// One run of one policy, or why there is none.
struct ComparedRun {
  std::string policy;
  unsigned repetition = 0;  ///< from 0
  std::string failure;      ///< empty: it ended well, and `record` is of it
  RunRecord record;
};

/// Of one policy, over its runs that ended well. Tables have a row a stage and a column a class.
struct PolicyFacts {
  std::string policy;
  std::vector<double> makespans;  ///< seconds, in the order of repetitions
  std::vector<std::string> failures;
  double median = 0, least = 0, most = 0;       ///< of the makespans
  std::vector<double> idle;                     ///< by class: share of its workers' time without a task
  std::vector<std::vector<std::uint64_t>> ran;  ///< tasks
  std::vector<std::vector<double>> seconds;     ///< of execution
  double moved_bytes = 0;                       ///< mean of a run
  std::size_t shown = 0;                        ///< index among the runs: the one whose makespan is the (lower) median

  bool known() const { return !makespans.empty(); }
};

struct Comparison {
  std::vector<std::string> classes;
  std::vector<unsigned> workers;  ///< by class
  std::vector<std::string> stages;
  std::vector<PolicyFacts> policies;  ///< in the order they first occur
  /// The area bound (lab/bounds/bound.hpp) of the tasks of one run. A task takes as long on a class as its stage did
  /// there, on average over the runs of all policies. It is measured: a run with luck can be a little below it. 0
  /// without a run.
  double bound = 0;
};

Comparison summarise(const std::vector<ComparedRun>& runs);

}  // namespace starpath
