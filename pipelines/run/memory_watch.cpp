// When a lack of memory is for ever.
#include "pipelines/run/memory_watch.hpp"

#include <starpu.h>

#include <utility>

#include "codelets/starpu/device_tasks.hpp"
#include "codelets/starpu/running_functions.hpp"
#include "pipelines/run/memory_need.hpp"

namespace starpath {
namespace {

bool workers_work() {
  if (codelets::RunningFunctions::any()) return true;
  for (unsigned worker = 0; worker < starpu_worker_get_count(); ++worker)
    if (!codelets::device_tasks(static_cast<int>(worker)).empty()) return true;
  return false;
}

}  // namespace

MemorySigns signs_of_starpu() { return {workers_work, codelets::RunningFunctions::begun_so_far, memory_is_short}; }

MemoryWatch::MemoryWatch(std::int64_t largest, MemorySigns signs) : largest_(largest), signs_(std::move(signs)) {}

bool MemoryWatch::starved() {
  const std::uint64_t begun_before = std::exchange(begun_, signs_.begun());
  const bool stands_still = begun_ == begun_before && !signs_.working();
  looks_ = largest_ > 0 && stands_still && signs_.no_room(largest_) ? looks_ + 1 : 0;
  return looks_ >= kPatience;
}

}  // namespace starpath
