// The queue of a discrete-event simulation.
#pragma once
#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace starpath {

/// Payloads in order of their times. Those of one time come in order of `order`, which the caller gives, or else in the
/// order in which they were pushed; a queue uses one of the two. Not thread-safe.
template <class Payload>
class EventQueue {
 public:
  struct Event {
    double time;
    std::uint64_t order;
    Payload payload;
  };

  bool empty() const { return heap_.empty(); }
  /// How many were pushed so far.
  std::uint64_t pushed() const { return pushed_; }

  void push(double time, Payload payload) { push(time, pushed_, std::move(payload)); }
  void push(double time, std::uint64_t order, Payload payload) {
    ++pushed_;
    heap_.push_back({time, order, std::move(payload)});
    std::ranges::push_heap(heap_, later);
  }

  /// Takes the earliest out. The queue must not be empty.
  Event pop() {
    std::ranges::pop_heap(heap_, later);
    Event earliest = std::move(heap_.back());
    heap_.pop_back();
    return earliest;
  }

 private:
  static bool later(const Event& one, const Event& other) {
    return one.time != other.time ? one.time > other.time : one.order > other.order;
  }

  std::vector<Event> heap_;
  std::uint64_t pushed_ = 0;
};

}  // namespace starpath
