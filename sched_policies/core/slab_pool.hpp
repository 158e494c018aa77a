// A pool of small objects, allocated in slabs.
#pragma once
#include <algorithm>
#include <cstddef>
#include <memory>
#include <vector>

#include "sched_policies/core/fetch_ahead.hpp"

namespace starpath {

/// Rows of `row` objects each. Objects stay constructed; there are up to twice as many as were ever in use at once.
/// Only slabs come from the heap: single objects would lie between the application's allocations and keep freed ones
/// from being joined. Not thread-safe.
template <class T>
class SlabPool {
 public:
  explicit SlabPool(std::size_t row = 1) : row_(row) {}

  /// The first object of a free row. It holds what was left in it.
  T* take() {
    if (free_.empty()) grow();
    T* const first = free_.back();
    free_.pop_back();
    if (!free_.empty()) fetch_ahead(free_.back(), sizeof(T));  // the next row
    return first;
  }
  void give_back(T* first) { free_.push_back(first); }

 private:
  static constexpr std::size_t kFirstRows = 16;
  static constexpr std::size_t kLargestSlab = 64 * 1024;  // bytes

  void grow() {
    const std::size_t largest = std::max(kFirstRows, kLargestSlab / (row_ * sizeof(T)));
    const std::size_t rows = std::clamp(rows_, kFirstRows, largest);
    rows_ += rows;
    slabs_.push_back(std::make_unique<T[]>(rows * row_));
    for (std::size_t i = rows; i-- > 0;) free_.push_back(&slabs_.back()[i * row_]);
  }

  std::size_t row_;
  std::size_t rows_ = 0;
  std::vector<std::unique_ptr<T[]>> slabs_;
  std::vector<T*> free_;
};

}  // namespace starpath
