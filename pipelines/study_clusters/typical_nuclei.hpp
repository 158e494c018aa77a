// The nuclei that show what a cluster is like.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace starpath {

/// Typical nuclei that are kept of a cluster.
inline constexpr std::size_t kTypicalNuclei = 12;

/// Keeps the nuclei of each cluster that are nearest to its centre. Of equally near nuclei the first one is kept, in
/// whatever order they come.
class TypicalNuclei {
 public:
  TypicalNuclei(std::size_t clusters, std::size_t most) : most_(most), nearest_(clusters) {}

  /// `number`: of the nucleus among those of all slides.
  void add(std::size_t cluster, std::uint32_t squared_distance, std::int64_t number) {
    Heap& heap = nearest_[cluster];
    const std::pair candidate{squared_distance, number};
    if (heap.size() == most_ && candidate > heap.front()) return;
    if (heap.size() == most_) {
      std::ranges::pop_heap(heap);
      heap.pop_back();
    }
    heap.push_back(candidate);
    std::ranges::push_heap(heap);
  }

  /// visit(cluster, squared distance, number) of those that are chosen so far, in no order.
  template <class Visit>
  void for_each(const Visit& visit) const {
    for (std::size_t cluster = 0; cluster < nearest_.size(); ++cluster)
      for (const auto& [distance, number] : nearest_[cluster]) visit(cluster, distance, number);
  }

  /// By cluster, numbers of nuclei, the nearest first.
  std::vector<std::vector<std::int64_t>> chosen() const {
    std::vector<std::vector<std::int64_t>> all;
    for (Heap heap : nearest_) {
      std::ranges::sort(heap);
      all.emplace_back();
      for (const auto& [distance, number] : heap) all.back().push_back(number);
    }
    return all;
  }

 private:
  using Heap = std::vector<std::pair<std::uint32_t, std::int64_t>>;  // the farthest on top

  std::size_t most_;
  std::vector<Heap> nearest_;
};

}  // namespace starpath
