// STARPATH_LOCALITY: which queued tasks could reuse data that an accelerator's memory holds.
#include "sched_policies/adapter/data_reuse.hpp"

#include <algorithm>

namespace starpath {
namespace {

constexpr std::size_t kCandidates = 32;    // kept for a memory node
constexpr std::size_t kReadersLooked = 8;  // of one piece of data, when a task that touches it is handed out

template <class Visit>
void for_each_handle(starpu_task& task, Visit visit) {
  const auto buffers = static_cast<unsigned>(STARPU_TASK_GET_NBUFFERS(&task));
  for (unsigned i = 0; i < buffers; ++i) {
    const auto mode = static_cast<unsigned>(STARPU_TASK_GET_MODE(&task, i));
    if ((mode & (STARPU_SCRATCH | STARPU_REDUX)) == 0) visit(STARPU_TASK_GET_HANDLE(&task, i), mode);
  }
}

std::size_t bytes_on(unsigned node, starpu_task& task) {
  std::size_t bytes = 0;
  for_each_handle(task, [&](starpu_data_handle_t handle, unsigned mode) {
    if ((mode & STARPU_R) != 0 && starpu_data_is_on_node(handle, node) != 0) bytes += starpu_data_get_size(handle);
  });
  return bytes;
}

}  // namespace

DataReuse::DataReuse(const Machine& machine) : machine_(machine), candidates_(starpu_memory_nodes_get_count()) {
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const unsigned node = starpu_worker_get_memory_node(worker);
    if (machine.kind_of(worker) == DeviceKind::accelerator && std::ranges::find(nodes_, node) == nodes_.end()) {
      nodes_.push_back(node);
    }
  }
}

void DataReuse::add_candidate(unsigned node, const Entry& entry) {
  auto& kept = candidates_[node];
  const auto same = [&](const Entry& other) { return other.generation == entry.generation; };
  if (std::ranges::any_of(kept, same)) return;
  if (kept.size() == kCandidates) kept.pop_front();
  kept.push_back(entry);
}

void DataReuse::queued(ReservableTask& record) {
  const Entry entry{.record = &record, .generation = record.generation};
  for_each_handle(*record.task(), [&](starpu_data_handle_t handle, unsigned mode) {
    if ((mode & STARPU_R) != 0) readers_[handle].push_back(entry);
  });
  for (const unsigned node : nodes_) {
    if (bytes_on(node, *record.task()) != 0) add_candidate(node, entry);
  }
}

void DataReuse::handed_out(WorkerId worker, starpu_task& task) {
  const unsigned node = starpu_worker_get_memory_node(worker);
  const bool accelerator = machine_.kind_of(worker) == DeviceKind::accelerator;
  for_each_handle(task, [&](starpu_data_handle_t handle, unsigned) {
    const auto place = readers_.find(handle);
    if (place == readers_.end()) return;
    auto& readers = place->second;
    while (!readers.empty() && !readers.front().live()) readers.pop_front();
    if (accelerator) {
      const auto looked = std::min(readers.size(), kReadersLooked);
      for (std::size_t i = 0; i < looked; ++i) {
        if (readers[i].live()) add_candidate(node, readers[i]);
      }
    }
    if (readers.empty()) readers_.erase(place);
  });
}

std::size_t DataReuse::bytes(WorkerId worker, starpu_task& task) {
  return bytes_on(starpu_worker_get_memory_node(worker), task);
}

ReuseOffer DataReuse::offer(WorkerId worker, ReservableTask& record) const {
  return {.speedup = record.speedups.of(machine_.class_of(worker)),
          .bytes = bytes(worker, *record.task()),
          .priority = record.priority,
          .sequence = record.sequence};
}

const std::vector<ReservableTask*>& DataReuse::candidates(WorkerId worker) {
  auto& kept = candidates_[starpu_worker_get_memory_node(worker)];
  std::erase_if(kept, [](const Entry& entry) { return !entry.live(); });
  found_.clear();
  for (const Entry& entry : kept) found_.push_back(entry.record);
  return found_;
}

}  // namespace starpath
