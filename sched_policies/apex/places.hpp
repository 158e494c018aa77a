// The places of a machine, and what a task costs at each.
#pragma once
#include <algorithm>
#include <cstddef>
#include <vector>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// The places of a machine. A place is all workers of one class that share one memory: a task costs the same on each of
/// them. Places are numbered from 0. Workers are absent until set_present. Not thread-safe.
class Places {
 public:
  struct Place {
    ClassId id;
    MemoryId memory;
    std::vector<WorkerId> workers = {};
    std::size_t present = 0;  ///< of its workers
  };

  explicit Places(const Machine& machine) : present_(machine.workers()) {
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      const ClassId id = machine.class_of(worker);
      const MemoryId memory = machine.memory_of(worker);
      const auto found =
          std::ranges::find_if(places_, [&](const Place& place) { return place.id == id && place.memory == memory; });
      place_of_.push_back(static_cast<PlaceId>(found - places_.begin()));
      if (found == places_.end()) places_.push_back({.id = id, .memory = memory});
      places_[place_of_.back()].workers.push_back(worker);
    }
  }

  std::size_t size() const { return places_.size(); }
  const Place& operator[](PlaceId place) const { return places_[place]; }
  auto begin() const { return places_.begin(); }
  auto end() const { return places_.end(); }
  PlaceId of(WorkerId worker) const { return place_of_[worker]; }

  std::size_t workers() const { return present_.size(); }
  bool present(WorkerId worker) const { return present_[worker]; }
  void set_present(WorkerId worker, bool present) {
    if (present_[worker] == present) return;
    present_[worker] = present;
    places_[place_of_[worker]].present += present ? 1 : std::size_t(-1);
  }

  /// Seconds to run the task; infinite where it cannot run.
  double seconds(const CostedTask& task, PlaceId place) const { return task.seconds[places_[place].id]; }
  /// Seconds to copy its input; 0 once that was started.
  double copy(const CostedTask& task, PlaceId place) const {
    return task.fetched == place ? 0 : of_memory(task.copies, place);
  }
  /// Seconds to copy its results home, if they are needed there or no known task uses them.
  double back(const CostedTask& task, PlaceId place) const {
    return (task.tail <= 0 || task.home) && places_[place].memory != 0 ? task.back : 0;
  }
  /// Seconds to allocate main memory through which its data come.
  double allocation(const CostedTask& task, PlaceId place) const { return of_memory(task.allocation, place); }
  /// Seconds of both copies; 0 once they were started.
  double copies(const CostedTask& task, PlaceId place) const {
    return task.fetched == place ? 0 : copy(task, place) + back(task, place);
  }
  /// Seconds to copy its input and to run it.
  double cost(const CostedTask& task, PlaceId place) const { return seconds(task, place) + copy(task, place); }

 private:
  double of_memory(const std::array<float, kMaxMemories>& seconds, PlaceId place) const {
    const MemoryId memory = places_[place].memory;
    return memory < kMaxMemories ? seconds[memory] : 0;
  }

  std::vector<Place> places_;
  std::vector<PlaceId> place_of_;  // by worker
  std::vector<bool> present_;      // by worker
};

}  // namespace starpath
