// DDFCFS: demand-driven, first come, first served. Round-robin over the streams, then the oldest task.
#pragma once

#include <cstddef>

#include "sched_policies/policies/fcfs.hpp"
#include "sched_policies/core/streams.hpp"

namespace starpath {

/// Order: streams take turns (see Streams); within a stream the higher priority goes first, then the older, as in Fcfs.
/// Priorities of different streams are not compared. Estimates play no part.
/// Example: a1 a2 a3 of stream a and b1 of stream b, arrived in that order, leave as a1 b1 a2 a3.
/// Source: anthill-2010 section 3. That a stream which a worker cannot serve keeps its turn is our reading of it.
class Ddfcfs {
 public:
  static constexpr PolicyInfo kInfo{
      .name = "ddfcfs",
      .description = "round-robin over the codelets the worker can run, then the oldest task of that codelet",
      .uses_estimates = false,
      .uses_streams = true};

  explicit Ddfcfs(PolicyEnvironment environment) : streams_(environment) {}

  void push(TaskRecord& task) { streams_.push(task); }
  TaskRecord* pop(WorkerId worker) { return streams_.pop(worker); }
  std::size_t size() const { return streams_.size(); }

 private:
  Streams<Fcfs> streams_;
};

static_assert(Policy<Ddfcfs>);

}  // namespace starpath
