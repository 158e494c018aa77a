// One workload on several kinds of nodes.
#include "lab/nodes/work.hpp"

#include <fmt/format.h>

#include "base/error.hpp"

namespace starpath::lab {

NodesWork make_work(const NodesModel& all_nodes, const WorkloadModel& model, const EstimatorChoice& estimator,
                    std::uint64_t seed) {
  NodesWork work;
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) {
    // All machines have the same classes here, so the same random numbers are drawn: the tiles are the same.
    const LabMachine machine = all_nodes.machine_of(group);
    work.tasks.push_back(make_workload(model, machine, seed));
    work.estimates.push_back(make_estimates(estimator, work.tasks.back(), model, machine, seed));
  }
  const Workload& tasks = work.tasks.front();
  work.after = dependencies(tasks);
  for (unsigned i = 0; i < tasks.tasks.size(); ++i) {
    const unsigned tile = tasks.tasks[i].group;
    while (work.first.size() <= tile) work.first.push_back(i);
    for (const unsigned before : work.after[i])
      if (tasks.tasks[before].group != tile)
        throw Error(ErrorKind::usage,
                    fmt::format("workload {}: tasks wait for those of other groups, so that it cannot "
                                "be shared out over nodes",
                                model.name));
  }
  work.first.push_back(tasks.tasks.size());
  return work;
}

NodesResult empty_result(const NodesModel& all_nodes, const NodesWork& work) {
  NodesResult result;
  const std::size_t classes = all_nodes.class_names().size(), kinds = work.tasks.front().kinds.size();
  result.ran.assign(all_nodes.groups.size(), std::vector<std::vector<unsigned>>(kinds, std::vector<unsigned>(classes)));
  result.busy.assign(all_nodes.groups.size(), std::vector<double>(classes));
  result.tiles_of_node.assign(all_nodes.count(), 0);
  return result;
}

}  // namespace starpath::lab
