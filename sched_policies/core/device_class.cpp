// Device classes: construction of a machine.
#include "sched_policies/core/device_class.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace starpath {

Machine::Machine(std::vector<DeviceClass> classes, std::vector<ClassId> class_of, std::vector<MemoryId> memory_of)
    : classes_(std::move(classes)),
      class_of_(std::move(class_of)),
      counts_(classes_.size()),
      memory_of_(std::move(memory_of)) {
  if (classes_.size() > kMaxDeviceClasses) throw std::invalid_argument("more device classes than are supported");
  for (const ClassId id : class_of_) {
    if (id >= classes_.size()) throw std::invalid_argument("a worker of a device class that does not exist");
    ++counts_[id];
  }
  if (memory_of_.empty()) {
    MemoryId next = 1;
    for (const ClassId id : class_of_) memory_of_.push_back(classes_[id].kind == DeviceKind::cpu ? 0 : next++);
  }
  if (memory_of_.size() != class_of_.size()) throw std::invalid_argument("not one memory a worker");
  const auto cpu = std::find_if(classes_.begin(), classes_.end(),
                                [](const DeviceClass& candidate) { return candidate.kind == DeviceKind::cpu; });
  if (cpu != classes_.end()) baseline_ = static_cast<ClassId>(cpu - classes_.begin());
}

}  // namespace starpath
