// Simulated nodes: groups of alike nodes, the network between them, the file system that they share.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "lab/machine.hpp"
#include "lab/model_file.hpp"

namespace starpath::lab {

/// Nodes of one kind.
struct NodeGroup {
  std::string name;
  LabMachine machine;
  unsigned count = 0;
  double speed = 1;  ///< of every worker, against what the machine's file says; estimates do not know of it
};

/// Several nodes. Node 0 is the first of the first group.
struct NodesModel {
  std::string name, about;
  double latency = 0;      ///< seconds until the first byte arrives at another node
  double bandwidth = 0;    ///< of each node's link to the network, bytes a second, each way
  double eager_bytes = 0;  ///< data of at most so many bytes do not wait for others on a link
  double storage_latency = 0;
  double storage_bandwidth = 0;  ///< of the shared file system, all readers together, bytes a second
  double wire_share = 1;         ///< bytes that a task's input has on the network, over those it has on a device
  std::vector<NodeGroup> groups;

  unsigned count() const;
  /// The group of each node.
  std::vector<unsigned> group_of_node() const;
  /// "cpu", then every accelerator's model in order of first appearance: the device classes of the nodes.
  std::vector<std::string> class_names() const;
  /// The machine of a group with the classes of all nodes: classes that the group lacks have no workers.
  LabMachine machine_of(std::size_t group) const;
};

/// Reads a file of a network and its nodes; docs/lab.md has the format. `machine` gives the machine of a name. `nodes`
/// and `workers` change it: entries of options --nodes, "GROUP=COUNT" as set_nodes, and --workers,
/// "GROUP=COUNT,COUNT,..." as set_workers. Throws Error (input), "FILE:LINE: reason", and Error (usage) for an entry.
NodesModel read_nodes(ModelFile file, const std::function<LabMachine(const std::string&)>& machine,
                      const std::vector<std::string>& nodes = {}, const std::vector<std::string>& workers = {});

/// The nodes with so many of them in the group; 0 leaves it out. Throws Error (usage) without such a group, or when no
/// node would be left.
void set_nodes(NodesModel& all_nodes, const std::string& group, unsigned count);

/// The nodes with so many workers of each class of the group's machine in this group. Throws Error (usage) without
/// such a group, when the machine has not so many, or none is left.
void set_workers(NodesModel& all_nodes, const std::string& group, const std::vector<unsigned>& workers);

}  // namespace starpath::lab
