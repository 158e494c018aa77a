// The builder that the shapes make workloads with.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "base/pure/random.hpp"
#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

inline constexpr AccessMode kRead = AccessMode::read, kWrite = AccessMode::write, kReadWrite = AccessMode::read_write;

/// A workload task by task. The order of calls is the order of random numbers, so it determines the workload.
class WorkloadBuilder {
 public:
  /// Both outlive the builder.
  WorkloadBuilder(const WorkloadModel& model, const LabMachine& machine, std::uint64_t seed);

  const WorkloadModel& model() const { return model_; }
  const LabMachine& machine() const { return machine_; }
  SplitMix64& random() { return random_; }
  Workload& workload() { return workload_; }
  Workload finish() { return std::move(workload_); }

  double parameter(const char* name) const { return model_.parameters.at(name); }
  /// The same, rounded.
  unsigned count(const char* name) const;

  /// Returns the number of a new piece of data. `owned` as DataItem::owned.
  unsigned data(double megabytes, bool owned = false);

  /// Starts a group, whose data have a content that no other has.
  void group();

  /// Seconds of a task of the kind on a core, or on a device (infinity where it cannot run), without any variation.
  double seconds_on_cpu(const TaskKind& kind) const;
  double seconds_on(const TaskKind& kind, const Accelerator& device) const;

  /// Adds a task of the kind, `work` times as long as the model's. `gains`: factors on the accelerators' times.
  WorkTask& task(unsigned kind, std::vector<Access> data, double work = 1, const std::vector<double>& gains = {});

  /// Adds up the tasks from `first` on into one: the tile as a single task.
  void merge(std::size_t first);

 private:
  const WorkloadModel& model_;
  const LabMachine& machine_;
  SplitMix64 random_;
  Workload workload_;
  std::vector<unsigned> codelet_of_kind_;
  double content_ = 1, known_ = 1;  // of the group
};

}  // namespace starpath::lab
