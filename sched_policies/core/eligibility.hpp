// Eligibility groups: which workers may run a task, as a small number that a queue can be split by.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <vector>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// A set of workers, as large as the highest worker in it.
class WorkerSet {
 public:
  void insert(WorkerId worker);
  bool contains(WorkerId worker) const {
    return worker / 64 < words_.size() && (words_[worker / 64] >> (worker % 64) & 1U) != 0;
  }
  bool empty() const { return words_.empty(); }
  bool operator<(const WorkerSet& other) const { return words_ < other.words_; }
  bool operator==(const WorkerSet& other) const = default;

 private:
  std::vector<std::uint64_t> words_;  // without zeros at its end: equal sets compare equal
};

/// Number of a distinct set of workers. Dense, from 0, in order of first appearance.
using GroupId = std::uint32_t;

/// Which kinds of device a group holds.
enum class GroupKinds { none, cpu_only, accelerator_only, both };

/// Gives each distinct set of workers a number. A machine has few such sets (CPU only, GPU only, both, ...), so a
/// policy can keep one queue for each. A worker that asks looks into the queues of its groups only, and so sees no task
/// that it cannot run.
/// A set is known until the table's end, which is that of the context: about 200 bytes each, and 40,000 tasks that each
/// name other workers take 8 MB. Those who look for queued tasks of a worker pass over all sets.
/// Not thread-safe: it lives under the policy's lock.
class EligibilityTable {
 public:
  explicit EligibilityTable(const Machine& machine) : machine_(&machine) {}

  /// The number of `workers`; the same set always gives the same number.
  GroupId intern(const WorkerSet& workers);

  bool contains(GroupId group, WorkerId worker) const { return groups_[group].workers.contains(worker); }
  GroupKinds kinds(GroupId group) const { return groups_[group].kinds; }
  /// Whether some worker of class `id` is in the group.
  bool has_class(GroupId group, ClassId id) const { return (groups_[group].classes >> id & 1U) != 0; }
  std::size_t size() const { return groups_.size(); }

 private:
  struct Group {
    WorkerSet workers;
    GroupKinds kinds = GroupKinds::none;
    std::uint32_t classes = 0;  // bit c: a worker of class c is in the group
  };

  const Machine* machine_;
  std::map<WorkerSet, GroupId> numbers_;
  std::vector<Group> groups_;
};

}  // namespace starpath
