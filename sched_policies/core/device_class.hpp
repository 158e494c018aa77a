// Device classes: sets of workers that perform alike, and the machine they make up.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace starpath {

using WorkerId = unsigned;
using ClassId = unsigned;
using MemoryId = unsigned;  ///< workers of one memory share their data

/// Most device classes a machine may have. Bounds the per-task table of speedups.
inline constexpr std::size_t kMaxDeviceClasses = 8;

/// What one task takes on each class, in seconds; nullopt: not known, or it cannot run there.
using ClassSeconds = std::array<std::optional<double>, kMaxDeviceClasses>;

using ClassSet = std::bitset<kMaxDeviceClasses>;

/// What a class is in the papers' two-sided view of a machine.
enum class DeviceKind { cpu, accelerator };

/// One device class: "cpu", "cuda Tesla K20", ...
struct DeviceClass {
  std::string name;
  DeviceKind kind = DeviceKind::cpu;
};

/// The classes of a machine and the class of each of its workers. Workers are numbered 0 .. workers() - 1.
/// A value type, immutable once built; safe to share between threads.
class Machine {
 public:
  /// `class_of[w]` is the class of worker w, `memory_of[w]` its memory; without memories all CPU workers share memory 0
  /// and each accelerator has its own. Throws std::invalid_argument when a class is named that is not there, when there
  /// are more than kMaxDeviceClasses, or when `memory_of` is not as long as `class_of`.
  Machine(std::vector<DeviceClass> classes, std::vector<ClassId> class_of, std::vector<MemoryId> memory_of = {});

  std::size_t workers() const { return class_of_.size(); }
  const std::vector<DeviceClass>& classes() const { return classes_; }
  ClassId class_of(WorkerId worker) const { return class_of_[worker]; }
  MemoryId memory_of(WorkerId worker) const { return memory_of_[worker]; }
  /// How many workers a class has.
  std::size_t count(ClassId id) const { return counts_[id]; }
  DeviceKind kind_of(WorkerId worker) const { return classes_[class_of_[worker]].kind; }

  /// The class that speedups are relative to: the first CPU class; nullopt on a machine without CPU workers.
  std::optional<ClassId> baseline() const { return baseline_; }

 private:
  std::vector<DeviceClass> classes_;
  std::vector<ClassId> class_of_;
  std::vector<std::size_t> counts_;  // workers by class
  std::vector<MemoryId> memory_of_;
  std::optional<ClassId> baseline_;
};

}  // namespace starpath
