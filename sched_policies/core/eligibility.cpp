// Eligibility groups: sets of workers and their numbering.
#include "sched_policies/core/eligibility.hpp"

namespace starpath {

void WorkerSet::insert(WorkerId worker) {
  if (worker / 64 >= words_.size()) words_.resize(worker / 64 + 1);
  words_[worker / 64] |= std::uint64_t{1} << (worker % 64);
}

GroupId EligibilityTable::intern(const WorkerSet& workers) {
  const auto [place, inserted] = numbers_.try_emplace(workers, static_cast<GroupId>(groups_.size()));
  if (!inserted) return place->second;

  Group group{.workers = workers};
  bool cpu = false;
  bool accelerator = false;
  for (WorkerId worker = 0; worker < machine_->workers(); ++worker) {
    if (!workers.contains(worker)) continue;
    group.classes |= std::uint32_t{1} << machine_->class_of(worker);
    (machine_->kind_of(worker) == DeviceKind::cpu ? cpu : accelerator) = true;
  }
  if (cpu && accelerator) {
    group.kinds = GroupKinds::both;
  } else if (cpu) {
    group.kinds = GroupKinds::cpu_only;
  } else if (accelerator) {
    group.kinds = GroupKinds::accelerator_only;
  }
  groups_.push_back(group);
  return place->second;
}

}  // namespace starpath
