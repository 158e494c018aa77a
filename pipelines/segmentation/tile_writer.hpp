// The thread that commits finished tiles, so that workers never wait for the disk.
#pragma once
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "io/results/result_store.hpp"

namespace starpath {

/// From a push() to its answer the store is the writer's alone.
class TileWriter {
 public:
  /// A tile has been committed, with so many nuclei that it owns.
  using OnWritten = std::function<void(const io::TileRecord& tile, std::int64_t nuclei)>;
  /// A commit has failed with this exception.
  using OnFailure = std::function<void(std::exception_ptr reason)>;

  /// Both are called on the writer's thread.
  TileWriter(io::ResultStore& store, OnWritten on_written, OnFailure on_failure);
  /// Commits what is still waiting, unless a commit has failed.
  ~TileWriter();
  TileWriter(const TileWriter&) = delete;
  TileWriter& operator=(const TileWriter&) = delete;

  /// Commits `tile`, in one transaction with others that wait, then calls on_written for each of them. After a failure
  /// it calls on_failure and does nothing any more.
  void push(io::TileResult tile);

 private:
  /// Waits for tiles; empty at the end.
  std::vector<io::TileResult> next_batch();
  void work();

  io::ResultStore& store_;
  const OnWritten on_written_;
  const OnFailure on_failure_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<io::TileResult> waiting_;
  bool ending_ = false;
  std::thread thread_;
};

}  // namespace starpath
