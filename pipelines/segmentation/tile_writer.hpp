// The thread that commits finished tiles, so that workers never wait for the disk.
#pragma once
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

#include "io/results/result_store.hpp"
#include "pipelines/segmentation/events.hpp"

namespace starpath {

/// From a push() to its event the store is the writer's alone.
class TileWriter {
 public:
  TileWriter(io::ResultStore& store, EventQueue& events);
  /// Commits what is still waiting, unless a commit has failed.
  ~TileWriter();
  TileWriter(const TileWriter&) = delete;
  TileWriter& operator=(const TileWriter&) = delete;

  /// Commits `tile`, in one transaction with others that wait, then sends a TileWritten for each of them. After a
  /// failure it sends WritingFailed and does nothing any more.
  void push(io::TileResult tile);

 private:
  /// Waits for tiles; empty at the end.
  std::vector<io::TileResult> next_batch();
  void work();

  io::ResultStore& store_;
  EventQueue& events_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<io::TileResult> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace starpath
