// Runs that are small enough to be checked by hand.
#pragma once
#include <string>
#include <vector>

#include "comparison/summary.hpp"

namespace starpath::test {

/// Two cores (0, 1) and a GPU (2). Stage "light": 1 s on a core, 1 s on the GPU; "heavy": 4 s and 1 s.
inline RunRecord record(const std::string& policy, double makespan, const std::vector<RecordedTask>& tasks) {
  return {policy, makespan, 3e6, {{"cpu", {0, 1}}, {"cuda K20", {2}}}, {"light", "heavy"}, tasks, {{"nuclei", 7}}};
}

inline const std::vector<RecordedTask> kGood = {{0, 0, 0, 1}, {0, 1, 0, 1}, {1, 2, 0, 1}, {1, 2, 1, 2}};
inline const std::vector<RecordedTask> kBad = {{0, 2, 0, 1}, {1, 0, 0, 4}, {1, 1, 0, 4}, {0, 2, 1, 2}};

inline std::vector<ComparedRun> runs() {
  return {{"good", 0, "", record("good", 2, kGood)},
          {"bad", 0, "", record("bad", 4, kBad)},
          {"good", 1, "", record("good", 3, kGood)},
          {"bad", 1, "killed by signal 11", {}},
          {"good", 2, "", record("good", 2.5, kGood)}};
}

}  // namespace starpath::test
