// The way from the job to the run on this rank.
#pragma once
#include <functional>
#include <mutex>
#include <utility>
#include <vector>

#include "pipelines/run/tile_source.hpp"

namespace starpath::mpi {

/// Keeps messages for the run while it does not listen. Thread-safe.
class RunLink {
 public:
  using Tell = std::function<void(TileSink&)>;

  /// The run listens, and hears the kept messages at once. `sink` lives until disconnect() or for as long as this.
  void connect(TileSink& sink) {
    const std::lock_guard lock(mutex_);
    sink_ = &sink;
    for (const Tell& tell : std::exchange(kept_, {})) tell(sink);
  }
  void disconnect() {
    const std::lock_guard lock(mutex_);
    sink_ = nullptr;
  }
  void tell(Tell tell) {
    const std::lock_guard lock(mutex_);
    if (sink_ != nullptr)
      tell(*sink_);
    else
      kept_.push_back(std::move(tell));
  }

 private:
  std::mutex mutex_;
  TileSink* sink_ = nullptr;
  std::vector<Tell> kept_;
};

}  // namespace starpath::mpi
