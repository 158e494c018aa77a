// The tiles of one simulated node.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include "base/error.hpp"
#include "lab/nodes/node.hpp"
#include "lab/nodes/scheduler.hpp"
#include "mpi/protocol/worker.hpp"
#include "sched_policies/core/locality.hpp"

namespace starpath::lab {

/// A task that is ready or not yet, of a tile that is here.
struct Pending : TaskRecord {
  unsigned task = 0;
  bool gone = false;  // taken past the policy, which still has it in its queue
};

/// The tiles that a node was given: which of their tasks are ready, and the policy that orders those.
class NodeTiles {
 public:
  NodeTiles(const NodesRun& run, unsigned number, unsigned group, TaskSource& source)
      : run_(run),
        group_(group),
        node_(run, number, group, source),
        eligibility_(node_.machine()),
        scheduler_(make_scheduler(run.options.policy, node_.machine(), eligibility_)) {
    if (run.options.locality && scheduler_->plans())
      throw Error(ErrorKind::usage, fmt::format("policy '{}' assigns tasks to workers itself: run it without locality",
                                                run.options.policy));
  }

  mpi::Worker& protocol() { return protocol_; }
  Node& node() { return node_; }

  void begin(unsigned tile) {
    Tile state;
    const std::size_t first = run_.work.first[tile], count = run_.work.first[tile + 1] - first;
    state.left = count;
    state.tasks = std::make_unique<Pending[]>(count);
    state.missing.resize(count);
    for (std::size_t i = 0; i < count; ++i) {
      state.tasks[i].task = static_cast<unsigned>(first + i);
      state.missing[i] = run_.work.after[first + i].size();
    }
    Tile& kept = tiles_.emplace(tile, std::move(state)).first->second;
    ++open_;
    for (std::size_t i = 0; i < count; ++i)
      if (kept.missing[i] == 0) push(kept.tasks[i]);
  }

  std::optional<unsigned> next(unsigned worker) {
    if (Pending* const reuse = preferred_reuse(worker)) {
      reuse->gone = true;
      ready_.erase(reuse->sequence);
      return reuse->task;
    }
    while (TaskRecord* const record = scheduler_->pop(worker, run_.events.now())) {
      const auto& task = *static_cast<Pending*>(record);
      const auto tile = tiles_.find(node_.task(task.task).group);
      --tile->second.queued;
      if (!task.gone) {
        ready_.erase(task.sequence);
        return task.task;
      }
      if (tile->second.left == 0 && tile->second.queued == 0) tiles_.erase(tile);
    }
    return std::nullopt;
  }

  /// Whether that was the last of its tile.
  bool finished(unsigned worker, unsigned task) {
    const unsigned tile = node_.task(task).group;
    Tile& state = tiles_.at(tile);
    const std::size_t first = run_.work.first[tile];
    scheduler_->finished(worker, state.tasks[task - first], run_.events.now());
    for (std::size_t i = task - first + 1; i < state.missing.size(); ++i)
      for (const unsigned before : run_.work.after[first + i])
        if (before == task && --state.missing[i] == 0) push(state.tasks[i]);
    if (--state.left > 0) return false;
    --open_;
    for (std::size_t i = 0; i < state.missing.size(); ++i) node_.forget(static_cast<unsigned>(first + i));
    if (state.queued == 0) tiles_.erase(tile);
    return true;
  }

  bool idle() const { return open_ == 0; }
  bool no_more = false, said_bye = false;

 private:
  struct Tile {
    std::unique_ptr<Pending[]> tasks;
    std::vector<std::size_t> missing;
    std::size_t left = 0, queued = 0;  // tasks that have not finished; records in the policy's queue
  };

  ReuseOffer offer(const Pending& task, unsigned worker) const {
    return {task.speedups.of(node_.machine().class_of(worker)),
            static_cast<std::size_t>(node_.held_bytes(task.task, worker)), task.priority, task.sequence};
  }

  /// The best ready task whose inputs the worker's memory holds, if it goes before the one with the largest speedup
  /// among tasks that reuse nothing. None for a core, or without locality.
  Pending* preferred_reuse(unsigned worker) const {
    if (!run_.options.locality || node_.machine().memory_of(worker) == 0) return nullptr;
    std::optional<ReuseOffer> best, rival;
    Pending* found = nullptr;
    for (const auto& [sequence, task] : ready_) {
      if (!node_.can_run(task->task, worker)) continue;
      const ReuseOffer own = offer(*task, worker);
      if (own.bytes == 0) {
        if (!rival || own.speedup.value_or(0) > rival->speedup.value_or(0)) rival = own;
      } else if (!best || better_reuse(own, *best)) {
        best = own;
        found = task;
      }
    }
    if (!best || !rival || !scheduler_->uses_estimates()) return found;
    return prefers_reuse(*best, *rival, node_.transfer_share(worker)) ? found : nullptr;
  }

  void push(Pending& task) {
    const std::vector<double>& estimates = run_.work.estimates[group_][task.task];
    WorkerSet workers;
    for (unsigned worker = 0; worker < node_.workers(); ++worker)
      if (node_.can_run(task.task, worker)) workers.insert(worker);
    if (workers.empty())
      throw Error(ErrorKind::usage,
                  fmt::format("nodes {} have no worker that can run {}", run_.all_nodes.groups[group_].name,
                              run_.work.tasks[group_].kinds[node_.task(task.task).kind]));
    task.owner = &task;
    task.priority = node_.task(task.task).priority;
    task.codelet = node_.task(task.task).codelet;
    task.group = eligibility_.intern(workers);
    for (ClassId id = 0; id < estimates.size(); ++id) {
      const double speedup = estimates[0] / estimates[id];
      if (std::isfinite(speedup) && speedup > 0) task.speedups.set(id, speedup);
    }
    task.sequence = ++pushed_;
    ++tiles_.at(node_.task(task.task).group).queued;
    if (run_.options.locality) ready_.emplace(task.sequence, &task);
    scheduler_->push(task, estimates, run_.events.now());
  }

  const NodesRun& run_;
  unsigned group_;
  Node node_;
  EligibilityTable eligibility_;
  std::unique_ptr<NodeScheduler> scheduler_;
  mpi::Worker protocol_;
  std::unordered_map<unsigned, Tile> tiles_;
  std::map<std::uint64_t, Pending*> ready_;  // by sequence; with locality only
  unsigned open_ = 0;                        // tiles with tasks left
  std::uint64_t pushed_ = 0;
};

}  // namespace starpath::lab
