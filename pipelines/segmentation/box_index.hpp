// Finds the boxes that may meet a given box without looking at all of them. Pure.
#pragma once
#include <cstdint>
#include <unordered_map>
#include <vector>

#include "pipelines/run/tiling.hpp"

namespace starpath {

/// Boxes by square buckets. Coordinates are >= 0 and below 2^37.
class BoxIndex {
 public:
  void insert(std::size_t id, const Rect& box) {
    for_each_bucket(box, [&](std::uint64_t key) { buckets_[key].push_back(id); });
  }

  /// True when `test(id)` holds for some inserted id near `box`. An id may be tested more than once.
  template <class Test>
  bool any(const Rect& box, Test&& test) const {
    bool found = false;
    for_each_bucket(box, [&](std::uint64_t key) {
      const auto bucket = buckets_.find(key);
      if (found || bucket == buckets_.end()) return;
      for (const std::size_t id : bucket->second) found = found || test(id);
    });
    return found;
  }

 private:
  static constexpr std::int64_t kSide = 64;

  template <class Visit>
  static void for_each_bucket(const Rect& box, Visit&& visit) {
    for (std::int64_t y = box.y / kSide; y <= (box.bottom() - 1) / kSide; ++y)
      for (std::int64_t x = box.x / kSide; x <= (box.right() - 1) / kSide; ++x)
        visit(static_cast<std::uint64_t>(y) << 32 | static_cast<std::uint64_t>(x));
  }

  std::unordered_map<std::uint64_t, std::vector<std::size_t>> buckets_;
};

}  // namespace starpath
