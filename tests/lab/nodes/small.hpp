// Nodes and workloads so small that their makespans can be worked out by hand.
#pragma once
#include "lab/nodes/simulate.hpp"

namespace starpath::lab {

/// One core that computes, no accelerators.
inline LabMachine one_core() {
  LabMachine machine;
  machine.name = "one";
  machine.cores = machine.full_cores = 1;
  machine.core_speed = 1;
  machine.host_bandwidth = 1000;
  return machine;
}

/// One core that drives one accelerator, 100 bytes a second from and to it.
inline LabMachine one_accelerator() {
  LabMachine machine = one_core();
  machine.accelerators = {{"Card", AcceleratorKind::gpu, 1, 1e9, 1, 100, 100, 0}};
  return machine;
}

/// So many nodes of the machine. A message takes a second, a link 100 bytes a second; the shared file system gives 200
/// bytes a second after a second.
inline NodesModel small_nodes(unsigned nodes, const LabMachine& machine = one_core()) {
  NodesModel all_nodes;
  all_nodes.name = "small";
  all_nodes.latency = 1;
  all_nodes.bandwidth = 100;
  all_nodes.storage_latency = 1;
  all_nodes.storage_bandwidth = 200;
  all_nodes.groups = {{"node", machine, nodes, 1}};
  return all_nodes;
}

/// Tiles of one task each, that reads a piece of data of its own and takes as long on every class.
inline NodesWork equal_tiles(const NodesModel& all_nodes, unsigned tiles, double seconds, double bytes,
                             const char* kind = "task", AccessMode mode = AccessMode::read) {
  Workload workload;
  workload.codelets = workload.kinds = {kind};
  workload.groups = tiles;
  NodesWork work;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    workload.data.push_back({bytes});
    WorkTask task;
    task.group = tile;
    task.data = {{tile, mode}};
    task.seconds.assign(all_nodes.class_names().size(), seconds);
    workload.tasks.push_back(task);
    work.first.push_back(tile);
  }
  work.first.push_back(tiles);
  work.after.resize(tiles);
  for (std::size_t group = 0; group < all_nodes.groups.size(); ++group) {
    work.tasks.push_back(workload);
    work.estimates.emplace_back();
    for (const WorkTask& task : workload.tasks) work.estimates.back().push_back(task.seconds);
  }
  return work;
}

}  // namespace starpath::lab
