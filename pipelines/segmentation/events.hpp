// What a finished task of a tile tells the thread that runs the pipeline.
#pragma once
#include "pipelines/blocking_queue.hpp"
#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath {

class TileJob;

/// One task of a tile has ended, on a worker of `kind` ("cpu", "cuda"), after `seconds` of execution.
struct Event {
  TileJob* job;
  Stage stage;
  const char* kind;
  double seconds;
};

using EventQueue = BlockingQueue<Event>;

}  // namespace starpath
