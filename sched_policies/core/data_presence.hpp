// Which data of queued tasks are in the memory of a device now, and whether it has room for more.
#pragma once
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"

namespace starpath {

/// What a policy may ask about the memories of devices while it chooses a task. The answers hold for the moment: data
/// come and go without a word. Calls are serialised as those of the policy are.
class DataPresence {
 public:
  virtual ~DataPresence() = default;

  /// Whether data have to leave the memory before others can come.
  virtual bool short_of_room(MemoryId memory) const = 0;

  /// Bytes of the task's input that are not in the memory, those on the way among them. 0 or more.
  virtual double missing(const TaskRecord& task, MemoryId memory) const = 0;
};

}  // namespace starpath
