// The device classes of all ranks, in one order. Pure.
#pragma once
#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace starpath::mpi {

/// A worker as ranks introduce it to each other.
struct StreamWorker {
  std::string device_class;
  bool accelerator;
};

/// What ranks know of each other when streams begin: classes and numbers of workers. Every rank has the same.
class StreamTeam {
 public:
  /// The workers of each rank. Ranks need not be alike.
  explicit StreamTeam(const std::vector<std::vector<StreamWorker>>& ranks) {
    std::set<std::pair<bool, std::string>> names;  // cores come first: speedups are relative to them
    for (const auto& workers : ranks)
      for (const StreamWorker& worker : workers) names.emplace(worker.accelerator, worker.device_class);
    for (const auto& [accelerator, name] : names) classes_.push_back(name);
    for (const auto& workers : ranks) {
      auto& classes = classes_of_.emplace_back();
      for (const StreamWorker& worker : workers) classes.push_back(class_of(worker.device_class));
      workers_ += classes.size();
    }
  }

  const std::vector<std::string>& classes() const { return classes_; }
  /// The class of each worker of a rank, as a place in classes().
  const std::vector<std::size_t>& classes_of(int rank) const { return classes_of_[static_cast<std::size_t>(rank)]; }
  std::size_t workers() const { return workers_; }

 private:
  std::size_t class_of(const std::string& name) const {
    return static_cast<std::size_t>(std::find(classes_.begin(), classes_.end(), name) - classes_.begin());
  }

  std::vector<std::string> classes_;
  std::vector<std::vector<std::size_t>> classes_of_;
  std::size_t workers_ = 0;
};

}  // namespace starpath::mpi
