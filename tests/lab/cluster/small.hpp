// Clusters and workloads so small that their makespans can be worked out by hand.
#pragma once
#include "lab/cluster/simulate.hpp"

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
inline ClusterModel small_cluster(unsigned nodes, const LabMachine& machine = one_core()) {
  ClusterModel cluster;
  cluster.name = "small";
  cluster.latency = 1;
  cluster.bandwidth = 100;
  cluster.storage_latency = 1;
  cluster.storage_bandwidth = 200;
  cluster.groups = {{"node", machine, nodes, 1}};
  return cluster;
}

/// Tiles of one task each, that reads a piece of data of its own and takes as long on every class.
inline ClusterWork equal_tiles(const ClusterModel& cluster, unsigned tiles, double seconds, double bytes,
                               const char* kind = "task", AccessMode mode = AccessMode::read) {
  Workload workload;
  workload.codelets = workload.kinds = {kind};
  workload.groups = tiles;
  ClusterWork work;
  for (unsigned tile = 0; tile < tiles; ++tile) {
    workload.data.push_back({bytes});
    WorkTask task;
    task.group = tile;
    task.data = {{tile, mode}};
    task.seconds.assign(cluster.class_names().size(), seconds);
    workload.tasks.push_back(task);
    work.first.push_back(tile);
  }
  work.first.push_back(tiles);
  work.after.resize(tiles);
  for (std::size_t group = 0; group < cluster.groups.size(); ++group) {
    work.tasks.push_back(workload);
    work.estimates.emplace_back();
    for (const WorkTask& task : workload.tasks) work.estimates.back().push_back(task.seconds);
  }
  return work;
}

}  // namespace starpath::lab
