#include "loops/dispatcher.hpp"

#include <algorithm>

namespace starpath::loops {

Block Dispatcher::fetch(unsigned processor) {
  if (closed_.load(std::memory_order_relaxed)) return {};
  if (returned_blocks_.load(std::memory_order_acquire) > 0)
    if (const Block block = fetch_returned(processor)) return block;
  std::size_t begin = next_.load(std::memory_order_relaxed);
  std::size_t size = 0;
  do {
    if (begin >= iterations_) return {};
    const std::size_t left = iterations_ - begin;
    size = std::min(schedule_->size(processor, left, left), left);
    if (size == 0) return {};
  } while (!next_.compare_exchange_weak(begin, begin + size, std::memory_order_relaxed));
  schedule_->taken(processor, size);
  return {begin, size};
}

Block Dispatcher::fetch_returned(unsigned processor) {
  const std::lock_guard lock(returned_mutex_);
  if (returned_.empty()) return {};
  Block& last = returned_.back();
  const std::size_t left = iterations_ - std::min(next_.load(std::memory_order_relaxed), iterations_) + last.size;
  std::size_t size = std::min(schedule_->size(processor, left, last.size), last.size);
  if (size == 0) size = last.size;  // a schedule that is through with this processor: somebody has to run it
  const Block block{last.begin, size};
  last = {last.begin + size, last.size - size};
  if (!last) {
    returned_.pop_back();
    returned_blocks_.store(returned_.size(), std::memory_order_release);
  }
  schedule_->taken(processor, size);
  return block;
}

void Dispatcher::give_back(Block block) {
  if (!block) return;
  const std::lock_guard lock(returned_mutex_);
  schedule_->returned(block.size);
  returned_.push_back(block);
  returned_blocks_.store(returned_.size(), std::memory_order_release);
}

std::size_t Dispatcher::left() const {
  const std::lock_guard lock(returned_mutex_);
  std::size_t left = iterations_ - std::min(next_.load(std::memory_order_relaxed), iterations_);
  for (const Block& block : returned_) left += block.size;
  return left;
}

}  // namespace starpath::loops
