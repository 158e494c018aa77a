// Registration and retirement of simulated data.
#include "lab/simulation/data.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <functional>
#include <limits>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

/// A verdict comes back with the end of its task; larger results are copied.
constexpr double kSmallestCopiedResult = 4096;

}  // namespace

SimulatedData::SimulatedData(const Workload& workload, std::size_t first, std::size_t last) : workload_(workload) {
  find_uses(first, last);
  register_all();
  starpu_pthread_mutex_init(&mutex_, nullptr);
  starpu_pthread_cond_init(&came_home_, nullptr);
}

std::size_t SimulatedData::bytes(std::size_t item) const {
  return static_cast<std::size_t>(std::max(1.0, workload_.data[lowest_ + item].bytes));
}

void SimulatedData::find_uses(std::size_t first, std::size_t last) {
  unsigned lowest = std::numeric_limits<unsigned>::max(), end = 0;
  for (std::size_t i = first; i < last; ++i)
    for (const Access& access : workload_.tasks[i].data) {
      lowest = std::min(lowest, access.data);
      end = std::max(end, access.data + 1);
    }
  if (end == 0) return;
  lowest_ = lowest;
  items_.resize(end - lowest);
  std::vector<AccessMode> last_mode(items_.size(), AccessMode::write);
  for (std::size_t i = first; i < last; ++i)
    for (const Access& access : workload_.tasks[i].data) {
      Item& item = items_[access.data - lowest_];
      if (!item.used) item.at_home = access.mode != AccessMode::write;
      item.used = true;
      last_mode[access.data - lowest_] = access.mode;
      item.last_task = i;
    }
  for (std::size_t i = 0; i < items_.size(); ++i) {
    items_[i].owner = this;
    items_[i].is_result = items_[i].used && last_mode[i] != AccessMode::read;
    items_[i].at_home = items_[i].at_home || items_[i].is_result || workload_.data[lowest_ + i].owned;
  }
}

void SimulatedData::register_all() {
  std::size_t total = 0;
  for (std::size_t i = 0; i < items_.size(); ++i) total += items_[i].at_home ? bytes(i) : 0;
  // Never touched: nothing computes. Addresses are all that StarPU asks for, and these take no memory.
  void* const region = mmap(nullptr, total + 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (region == MAP_FAILED) throw Error(ErrorKind::runtime, "no address space for the simulated data");
  auto address = reinterpret_cast<std::uintptr_t>(region);
  std::vector<starpu_data_handle_t> too_low;  // in holes of the heap, kept until the others have their place
  starpu_data_handle_t last = nullptr;
  for (std::size_t i = 0; i < items_.size(); ++i) {
    Item& item = items_[i];
    if (!item.used) continue;
    // Data that lie between tasks only have no home: StarPU allocates them where they are first needed.
    const auto add = [&] {
      starpu_vector_data_register(&item.handle, item.at_home ? STARPU_MAIN_RAM : -1, item.at_home ? address : 0,
                                  static_cast<std::uint32_t>(bytes(i)), 1);
    };
    for (add(); last != nullptr && std::less<>()(item.handle, last); add()) too_low.push_back(item.handle);
    last = item.handle;
    if (item.at_home) address += bytes(i);
  }
  for (starpu_data_handle_t handle : too_low) starpu_data_unregister_no_coherency(handle);
}

void SimulatedData::came_home(void* argument) {
  const Item& item = *static_cast<Item*>(argument);
  SimulatedData& data = *item.owner;
  starpu_data_release_on_node(item.handle, STARPU_MAIN_RAM);
  starpu_pthread_mutex_lock(&data.mutex_);
  if (--data.results_away_ == 0) starpu_pthread_cond_signal(&data.came_home_);
  starpu_pthread_mutex_unlock(&data.mutex_);
}

void SimulatedData::submitted(std::size_t task) {
  for (const Access& access : workload_.tasks[task].data) {
    Item& item = items_[access.data - lowest_];
    if (item.last_task != task) continue;
    if (item.is_result && workload_.data[access.data].bytes >= kSmallestCopiedResult) {
      ++results_away_;
      starpu_data_acquire_on_node_cb(item.handle, STARPU_MAIN_RAM, STARPU_R, came_home, &item);
    }
    starpu_data_unregister_submit(item.handle);
  }
}

void SimulatedData::wait_for_results() {
  starpu_pthread_mutex_lock(&mutex_);
  while (results_away_ > 0) starpu_pthread_cond_wait(&came_home_, &mutex_);
  starpu_pthread_mutex_unlock(&mutex_);
}

}  // namespace starpath::lab
