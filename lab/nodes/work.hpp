// The work of several simulated nodes, and the result of a run.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "lab/estimates.hpp"
#include "lab/nodes/nodes_model.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// A workload as each group of nodes sees it: the same tasks with the same data, times and estimates by class of all
/// nodes. A tile is a group of tasks, which follow each other in the workload.
struct NodesWork {
  std::vector<Workload> tasks;                              // by group of nodes
  std::vector<std::vector<std::vector<double>>> estimates;  // by group of nodes, task, class; NaN: not known
  std::vector<std::vector<unsigned>> after;                 // by task: those it waits for
  std::vector<std::size_t> first;                           // of each tile, then the number of tasks

  unsigned tiles() const { return static_cast<unsigned>(first.size() - 1); }
};

/// Deterministic, as make_workload and make_estimates are. Throws Error (usage) when a task would wait for another
/// tile's task: tiles go to different nodes.
NodesWork make_work(const NodesModel& all_nodes, const WorkloadModel& model, const EstimatorChoice& estimator,
                    std::uint64_t seed);

/// A task that ran.
struct NodesTask {
  unsigned node, worker;  // workers of a node: cores first, then accelerators in the order of the classes
  unsigned task, device_class;
  double begin, end;
};

/// The window of a worker's requests after it processed a buffer.
struct WindowStep {
  double time;
  unsigned node, worker, window;
};

/// How the data of an accelerator's tasks pass its link.
enum class Copies {
  around,  ///< inputs in before each task, outputs out after it; nothing stays, and nothing is computed meanwhile
  kept,    ///< data stay where they are; nothing is computed while inputs come, or data left behind go
  ahead,   ///< data stay, and the next task's inputs come while the one before runs
};

struct NodesOptions {
  std::string policy;
  unsigned window =
      0;  ///< Manager-Worker: tiles a node holds; streams: requests of a worker, where the policy fixes it
  bool reading = true;  ///< tasks named `read` wait for the shared file system and take time; else they take none
  Copies copies = Copies::ahead;
  bool locality = false;  ///< Manager-Worker: accelerators prefer tasks whose inputs they hold (hybrid IV-C)
  std::function<void(const NodesTask&)> on_task = {};
  std::function<void(const WindowStep&)> on_window = {};
};

struct NodesResult {
  double makespan = 0;                                  ///< seconds until everybody knows that all is done
  std::vector<std::vector<std::vector<unsigned>>> ran;  ///< tasks by group of nodes, kind, class
  std::vector<std::vector<double>> busy;                ///< seconds by group of nodes and class, all workers together
  std::vector<unsigned> tiles_of_node;                  ///< finished; streams: buffers
  double sent_bytes = 0, read_bytes = 0;                ///< between nodes; from the shared file system
  std::uint64_t messages = 0;                           ///< control messages between nodes
  std::uint64_t events = 0;                             ///< of the simulation
};

/// The result of a run that has not begun.
NodesResult empty_result(const NodesModel& all_nodes, const NodesWork& work);

}  // namespace starpath::lab
