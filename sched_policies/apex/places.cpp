// The places of a machine.
#include "sched_policies/apex/places.hpp"

#include <algorithm>

namespace starpath {

Places::Places(const Machine& machine) : present_(machine.workers()) {
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const auto found = std::ranges::find_if(places_, [&](const Place& place) {
      return place.id == machine.class_of(worker) && place.memory == machine.memory_of(worker);
    });
    place_of_.push_back(static_cast<PlaceId>(found - places_.begin()));
    if (found == places_.end())
      places_.push_back({.id = machine.class_of(worker), .memory = machine.memory_of(worker)});
    places_[place_of_.back()].workers.push_back(worker);
  }
}

void Places::set_present(WorkerId worker, bool present) {
  if (present_[worker] == present) return;
  present_[worker] = present;
  places_[place_of_[worker]].present += present ? 1 : std::size_t(-1);
}

}  // namespace starpath
