// Which task waits for which.
#include <algorithm>

#include "lab/workload.hpp"

namespace starpath::lab {

std::vector<std::vector<unsigned>> dependencies(const Workload& workload) {
  constexpr unsigned nobody = ~0u;
  struct State {
    unsigned writer = nobody;
    std::vector<unsigned> readers;
  };
  std::vector<State> states(workload.data.size());
  std::vector<std::vector<unsigned>> after(workload.tasks.size());
  for (unsigned i = 0; i < workload.tasks.size(); ++i) {
    std::vector<unsigned>& before = after[i];
    for (const Access& access : workload.tasks[i].data) {
      State& state = states[access.data];
      if (access.mode == AccessMode::read || state.readers.empty()) {
        if (state.writer != nobody) before.push_back(state.writer);
      }
      if (access.mode == AccessMode::read) {
        state.readers.push_back(i);
        continue;
      }
      before.insert(before.end(), state.readers.begin(), state.readers.end());
      state = {i, {}};
    }
    std::ranges::sort(before);
    const auto repeated = std::ranges::unique(before);
    before.erase(repeated.begin(), repeated.end());
  }
  return after;
}

std::vector<BoundTask> bound_tasks(const Workload& workload) {
  const auto after = dependencies(workload);
  std::vector<BoundTask> tasks;
  for (std::size_t i = 0; i < workload.tasks.size(); ++i) tasks.push_back({workload.tasks[i].seconds, after[i]});
  return tasks;
}

}  // namespace starpath::lab
