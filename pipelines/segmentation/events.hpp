// What workers, the writer and the source of tiles tell the thread that runs the pipeline.
#pragma once
#include <cstdint>
#include <exception>
#include <variant>

#include "io/results/result_store.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/segmentation/stage_graph.hpp"
#include "pipelines/run/task_watch.hpp"
#include "pipelines/run/tile_intake.hpp"

namespace starpath {

class TileJob;

/// One task of a tile has ended.
struct TaskEnded {
  TileJob* job;
  Stage stage;
  TaskRun run;
};

/// A tile has been committed, with so many nuclei of its own.
struct TileWritten {
  io::TileRecord tile;
  std::int64_t nuclei;
};

/// A commit has failed with this exception.
struct WritingFailed {
  std::exception_ptr reason;
};

using Event = std::variant<TaskEnded, TileWritten, WritingFailed, SourceEvent>;
using EventQueue = BlockingQueue<Event>;

}  // namespace starpath
