// A list that only grows, whose entries are used again: a handler may walk it at any moment.
#include "base/unfinished_file.hpp"

#include <unistd.h>

#include <atomic>
#include <mutex>
#include <string>

namespace starpath {

namespace {

enum class Use { free, held, removed };
static_assert(std::atomic<Use>::is_always_lock_free);

}  // namespace

struct UnfinishedPath {
  std::string path;  // of its holder, who alone writes it
  std::atomic<Use> use = Use::free;
  UnfinishedPath* next = nullptr;
};

namespace {

std::mutex holders;  // never taken by a handler
std::atomic<UnfinishedPath*> first{nullptr};
static_assert(std::atomic<UnfinishedPath*>::is_always_lock_free);

UnfinishedPath* free_entry() {
  for (UnfinishedPath* entry = first; entry != nullptr; entry = entry->next)
    if (entry->use == Use::free) return entry;
  auto* entry = new UnfinishedPath;  // for the life of the process
  entry->next = first;
  first = entry;
  return entry;
}

}  // namespace

UnfinishedFile::UnfinishedFile(const std::string& path) {
  const std::lock_guard lock(holders);
  entry_ = free_entry();
  entry_->path = path;
  entry_->use = Use::held;
}

UnfinishedFile::~UnfinishedFile() {
  Use held = Use::held;  // what a handler reads stays as it is
  entry_->use.compare_exchange_strong(held, Use::free);
}

void remove_unfinished_files() noexcept {
  for (UnfinishedPath* entry = first; entry != nullptr; entry = entry->next) {
    Use held = Use::held;
    if (entry->use.compare_exchange_strong(held, Use::removed)) ::unlink(entry->path.c_str());
  }
}

}  // namespace starpath
