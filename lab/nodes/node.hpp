// One simulated node: its workers, its memories, the copies between them.
#pragma once
#include <cstdint>
#include <deque>
#include <optional>
#include <unordered_map>
#include <vector>

#include "lab/nodes/events.hpp"
#include "lab/nodes/network.hpp"
#include "lab/nodes/work.hpp"
#include "sched_policies/core/device_class.hpp"

namespace starpath::lab {

/// The source of a node's tasks, which also hears of finished tasks.
class TaskSource {
 public:
  virtual ~TaskSource() = default;
  /// The task for a worker that has room; nothing when there is none for it now.
  virtual std::optional<unsigned> next(unsigned node, unsigned worker) = 0;
  virtual void finished(unsigned node, unsigned worker, unsigned task, double seconds) = 0;
};

/// The parts of a run, seen from a node.
struct NodesRun {
  Events& events;
  Network& network;
  const NodesModel& all_nodes;
  const NodesWork& work;
  const NodesOptions& options;
  NodesResult& result;
};

/// Workers are the cores that compute, then the accelerators. Workers without a task ask in the order in which they ran
/// out of tasks. A core runs one task at a time; its data are copied to main memory first. With Copies::ahead an
/// accelerator takes one task ahead of the running one and starts its copies at once, so copies and computing overlap
/// as in StarPU; else it takes a task when it is done with the one before. Copies pass a link one after the other, and
/// all of them pass main memory one after the other. The memory of accelerators is not bounded. Data stay where they
/// were written or copied to until `forget`, or with Copies::around until the task has ended.
class Node {
 public:
  /// All outlive the node.
  Node(const NodesRun& run, unsigned number, unsigned group, TaskSource& source);

  const Machine& machine() const { return machine_; }
  unsigned workers() const { return static_cast<unsigned>(machine_.workers()); }
  const WorkTask& task(unsigned number) const { return run_.work.tasks[group_].tasks[number]; }
  /// Whether the worker has an implementation of it.
  bool can_run(unsigned task_number, unsigned worker) const;

  /// Workers with room look for tasks: to be called whenever some may have come.
  void offer();
  /// Bytes of the task's input that the worker's memory holds or is about to. Without accelerators' memory: 0.
  double held_bytes(unsigned task_number, unsigned worker) const;
  /// Time of the copies for the worker's tasks over that and the time it computed, so far.
  double transfer_share(unsigned worker) const;
  /// Nobody needs the data of this task any more.
  void forget(unsigned task_number);

 private:
  struct Held {
    unsigned task;
    double taken, copied;  // when the worker took it, when its data are there
  };
  struct Worker {
    std::deque<Held> held;  // the first one runs
    bool running = false;
    double copying = 0, computing = 0;  // seconds
    std::vector<unsigned> written;      // data of the task before
  };
  using Holders = std::vector<double>;  // by memory: when it holds the data; infinity: not

  bool is_core(unsigned worker) const { return machine_.kind_of(worker) == DeviceKind::cpu; }
  std::size_t room(unsigned worker) const { return is_core(worker) || run_.options.copies != Copies::ahead ? 1 : 2; }
  bool look(unsigned worker);  // whether it has taken a task
  void start(unsigned worker);
  void finish(unsigned worker, double begin);
  void release(unsigned worker, double seconds);
  double leave_behind(unsigned worker, unsigned next_task);
  double empty(unsigned task_number, std::size_t memory);
  double fetch(unsigned task_number, std::size_t memory);
  double copy(std::size_t device, bool to_device, double bytes, double time);
  Holders& holders_of(unsigned data);
  bool reads_files(unsigned task_number) const;

  NodesRun run_;
  unsigned number_, group_;
  TaskSource& source_;
  LabMachine model_;
  Machine machine_;
  std::vector<Worker> workers_;
  std::vector<unsigned> idle_;                      // workers without a task, the longest idle first
  std::vector<std::size_t> accelerator_of_memory_;  // of model_, by memory; memory 0 is the main one
  std::vector<Link> to_, from_;                     // by memory
  Link host_;
  std::unordered_map<unsigned, Holders> holders_;  // of data that is not in main memory alone
};

}  // namespace starpath::lab
