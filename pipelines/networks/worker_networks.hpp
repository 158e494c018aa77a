// The network of a process: one for each worker that uses it.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <utility>

#include "pipelines/networks/scored_network.hpp"

namespace starpath {

/// Thread-safe. It serves all slides of a run, whose workers have the same numbers.
class WorkerNetworks {
 public:
  explicit WorkerNetworks(OnnxNetwork network) : network_(std::move(network)) {}

  const OnnxNetwork& network() const { return network_; }

  /// That of the calling worker, which is made at its first call. Throws as ScoredNetwork's constructor.
  ScoredNetwork& of_worker(int worker) {
    {
      const std::lock_guard lock(mutex_);
      if (const auto found = made_.find(worker); found != made_.end()) return *found->second;
    }
    auto made = std::make_unique<ScoredNetwork>(network_);  // while other workers make theirs
    const std::lock_guard lock(mutex_);
    return *made_.emplace(worker, std::move(made)).first->second;
  }

  /// Memory that one worker's takes; the first call makes a network and lets go of it.
  std::int64_t bytes() {
    const std::lock_guard lock(mutex_);
    if (bytes_ == 0) bytes_ = ScoredNetwork(network_).bytes();
    return bytes_;
  }

 private:
  const OnnxNetwork network_;
  std::mutex mutex_;
  std::map<int, std::unique_ptr<ScoredNetwork>> made_;  // by the worker's number
  std::int64_t bytes_ = 0;
};

}  // namespace starpath
