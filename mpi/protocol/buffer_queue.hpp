// Data buffers that wait at one end of a stream, and which of them suits a device class best (DBSA). Pure.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

namespace starpath::mpi {

/// One in the whole stream.
using BufferId = std::int64_t;

/// A buffer and its speedup on each device class over the baseline class; NaN when it is not known.
struct StreamBuffer {
  BufferId id;
  std::vector<double> speedups;
};

/// Sorted: each class has a view in which every buffer stands, best first; one that leaves a view leaves all. Equals
/// and buffers of unknown speedup go in arrival order, those after the known ones. Not sorted: arrival order alone.
/// Costs are logarithmic in the buffers, times the classes. Not thread-safe. Source: anthill-2010 section 5.3.2.
class BufferQueue {
 public:
  BufferQueue(bool sorted, std::size_t classes) : views_(sorted ? classes : 1), sorted_(sorted) {}

  void insert(StreamBuffer buffer) {
    const std::uint64_t number = ++arrivals_;
    for (std::size_t view = 0; view < views_.size(); ++view) views_[view].insert(place(buffer, view, number));
    buffers_.emplace(number, std::move(buffer));
  }

  /// The buffer that `take` would give.
  const StreamBuffer* peek(std::size_t device_class) const {
    const auto& view = views_[sorted_ ? device_class : 0];
    return view.empty() ? nullptr : &buffers_.at(view.begin()->second);
  }

  /// The buffer for a worker of this class.
  std::optional<StreamBuffer> take(std::size_t device_class) {
    const auto& view = views_[sorted_ ? device_class : 0];
    if (view.empty()) return std::nullopt;
    const std::uint64_t number = view.begin()->second;
    auto found = buffers_.find(number);
    StreamBuffer buffer = std::move(found->second);
    buffers_.erase(found);
    for (std::size_t v = 0; v < views_.size(); ++v) views_[v].erase(place(buffer, v, number));
    return buffer;
  }

  std::size_t size() const { return buffers_.size(); }
  bool empty() const { return buffers_.empty(); }

 private:
  using Place = std::pair<double, std::uint64_t>;  // how bad, number of arrival

  Place place(const StreamBuffer& buffer, std::size_t view, std::uint64_t number) const {
    if (!sorted_) return {0, number};
    const double speedup = buffer.speedups[view];
    return {std::isnan(speedup) ? std::numeric_limits<double>::infinity() : -speedup, number};
  }

  std::vector<std::set<Place>> views_;
  std::unordered_map<std::uint64_t, StreamBuffer> buffers_;  // by number of arrival
  std::uint64_t arrivals_ = 0;
  bool sorted_;
};

}  // namespace starpath::mpi
