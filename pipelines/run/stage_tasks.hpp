// A pipeline as a table of operations, and the submission of a tile's tasks by such a table.
#pragma once
#include <starpu.h>

#include <array>
#include <cstddef>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "codelets/starpu/task_status.hpp"
#include "codelets/starpu/tile_facts.hpp"
#include "pipelines/run/task_execution.hpp"

namespace starpath {

/// The items of a row; at most as many as a task of StarPU may have buffers.
template <class Item>
struct ShortList {
  std::array<Item, STARPU_NMAXBUFS> items{};
  std::size_t size = 0;

  template <class... Items>
  constexpr ShortList(Items... given) : items{given...}, size(sizeof...(given)) {}
  constexpr const Item* begin() const { return items.data(); }
  constexpr const Item* end() const { return items.data() + size; }
};

/// A row of a pipeline's table. The pipeline enumerates its operations, its phases (operations that are submitted
/// together) and its buffers. A Number names one of the pipeline's parameters.
template <class Operation, class Phase, class Buffer, class Number = int>
struct PipelineRow {
  Operation operation;
  const char* name;  // its name in progress
  starpu_codelet* codelet;
  Phase phase;
  ShortList<Buffer> reads, writes;  // in the order in which the codelet takes them
  ShortList<Number> numbers = {};   // the kernel's parameters of type int, in their order
};

/// The handles of a tile's buffers.
template <class Buffer, std::size_t count>
class Buffers {
 public:
  starpu_data_handle_t& operator[](Buffer buffer) { return handles_[static_cast<std::size_t>(buffer)]; }
  auto begin() { return handles_.begin(); }
  auto end() { return handles_.end(); }

 private:
  std::array<starpu_data_handle_t, count> handles_{};
};

/// Whether StarPU has a worker of a kind that the codelet has an implementation for.
bool runs_here(const starpu_codelet& codelet);

/// StarPU allocates such data where they are first written, and frees them after the last use.
inline constexpr int kOnDemand = -1;

/// The tasks of one tile. Used by the thread that runs the pipeline. StarPU holds its address: it must not move, nor be
/// destroyed before its last task has ended.
class StageTasks {
 public:
  /// Called on a thread of StarPU when a task of the operation with this number has ended.
  using OnEnd = std::function<void(std::size_t operation, const TaskExecution&)>;

  /// `place` says where the tile is, for people. The tile's tasks have this `priority`. `operations`: as many numbers
  /// that rows may have.
  StageTasks(std::string place, int priority, OnEnd on_end, std::size_t operations = kMostOperations)
      : status(std::move(place)), priority_(priority), on_end_(std::move(on_end)), tags_(operations) {}
  StageTasks(const StageTasks&) = delete;
  StageTasks& operator=(const StageTasks&) = delete;

  /// Submits the task of a row. `argument` is its cl_arg. Throws Error{runtime} when no worker can run it.
  template <class Row, class Handles>
  void submit(const Row& row, Handles& handles, void* argument) {
    starpu_task* task = starpu_task_create();
    std::size_t count = 0;
    for (const auto buffer : row.reads) task->handles[count++] = handles[buffer];
    for (const auto buffer : row.writes) task->handles[count++] = handles[buffer];
    submit(static_cast<std::size_t>(row.operation), *row.codelet, argument, task);
  }

  TaskStatus status;  // which a failed task leaves
  TileFacts facts;    // which tasks count, and later tasks depend on
  int pending = 0;    // submitted; for the owner to count down
  int worker = -1;    // of StarPU, that tasks run on if it can run them; -1: the policy chooses one

 private:
  struct Tag {
    StageTasks* tasks;
    std::size_t operation;
    starpu_task* task;
  };
  static constexpr std::size_t kMostOperations = 27;  // of the pipelines' tables

  void submit(std::size_t operation, starpu_codelet& codelet, void* argument, starpu_task* task);
  static void on_task_end(void* tag);

  const int priority_;
  const OnEnd on_end_;
  std::vector<Tag> tags_;
};

}  // namespace starpath
