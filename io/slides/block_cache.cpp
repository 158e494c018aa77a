// Least-recently-used cache of decoded blocks.
#include "io/slides/block_cache.hpp"

namespace starpath::io {

std::shared_ptr<const Block> BlockCache::find(std::int64_t key) {
  const std::lock_guard lock(mutex_);
  const auto found = place_.find(key);
  if (found == place_.end()) return nullptr;
  newest_first_.splice(newest_first_.begin(), newest_first_, found->second);
  return found->second->second;
}

void BlockCache::put(std::int64_t key, std::shared_ptr<const Block> block) {
  const std::lock_guard lock(mutex_);
  if (place_.contains(key)) return;  // another thread decoded it meanwhile
  newest_first_.emplace_front(key, std::move(block));
  place_[key] = newest_first_.begin();
  used_ += bytes(newest_first_.front());
  while (used_ > budget_ && newest_first_.size() > 1) {
    used_ -= bytes(newest_first_.back());
    place_.erase(newest_first_.back().first);
    newest_first_.pop_back();
  }
}

}  // namespace starpath::io
