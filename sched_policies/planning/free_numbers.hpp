// Numbers that are used again, the lowest first.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace starpath {

/// Hands out numbers from 0, always the lowest free one. So objects that are used one after the other mostly lie one
/// after the other in memory. With the number that was freed last instead, the tasks of a long queue would be scattered
/// once the queue is processed in another order than that of arrival. Up to n / 4096 + 2 steps. Not thread-safe.
class FreeNumbers {
 public:
  std::size_t take() {
    while (lowest_ < words_.size() && words_[lowest_] == 0) ++lowest_;
    if (lowest_ == words_.size()) return fresh();
    const std::size_t word = lowest_ * kBits + static_cast<std::size_t>(std::countr_zero(words_[lowest_]));
    const std::size_t number = word * kBits + static_cast<std::size_t>(std::countr_zero(free_[word]));
    free_[word] &= free_[word] - 1;
    if (free_[word] == 0) words_[lowest_] &= words_[lowest_] - 1;
    return number;
  }

  /// `number` was taken.
  void give_back(std::size_t number) {
    const std::size_t word = number / kBits;
    free_[word] |= std::uint64_t{1} << number % kBits;
    words_[word / kBits] |= std::uint64_t{1} << word % kBits;
    if (word / kBits < lowest_) lowest_ = word / kBits;
  }

 private:
  static constexpr std::size_t kBits = 64;

  std::size_t fresh() {
    const std::size_t number = given_++;
    if (number / kBits >= free_.size()) free_.push_back(0);
    if (number / kBits / kBits >= words_.size()) {
      words_.push_back(0);
      lowest_ = words_.size();
    }
    return number;
  }

  std::size_t given_ = 0;             // numbers that were ever handed out
  std::vector<std::uint64_t> free_;   // a bit for each number: it is free
  std::vector<std::uint64_t> words_;  // a bit for each word of `free_`: it is not 0
  std::size_t lowest_ = 0;            // all words of `words_` below are 0
};

}  // namespace starpath
