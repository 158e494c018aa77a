// The nearest of many samples, as they come by.
#pragma once
#include <cstdint>

#include "codelets/kernels/host_device.hpp"

namespace starpath {

/// Orders samples by their distance, equally far ones by their number.
STARPATH_HD constexpr std::uint64_t sample_key(std::uint32_t distance, std::uint32_t sample) {
  return std::uint64_t{distance} << 32 | sample;
}
STARPATH_HD constexpr std::uint32_t distance_of_key(std::uint64_t key) { return static_cast<std::uint32_t>(key >> 32); }
STARPATH_HD constexpr std::uint32_t sample_of_key(std::uint64_t key) { return static_cast<std::uint32_t>(key); }

/// The k smallest of the added keys, in their order. The order in which they were added does not matter. k is `most` or
/// less.
template <int most>
class NearestKeys {
 public:
  STARPATH_HD explicit constexpr NearestKeys(int k) : k_(k) {}

  STARPATH_HD constexpr void add(std::uint64_t key) {
    if (count_ == k_ && key >= keys_[k_ - 1]) return;
    int at = count_ < k_ ? count_++ : k_ - 1;
    for (; at > 0 && keys_[at - 1] > key; --at) keys_[at] = keys_[at - 1];
    keys_[at] = key;
  }

  STARPATH_HD constexpr int count() const { return count_; }
  STARPATH_HD constexpr std::uint64_t operator[](int i) const { return keys_[i]; }

 private:
  int k_, count_ = 0;
  std::uint64_t keys_[most] = {};
};

}  // namespace starpath
