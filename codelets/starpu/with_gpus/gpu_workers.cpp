// Scratch memory of GPU workers, and whether they have room for a task.
#include "codelets/starpu/gpu_workers.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/with_gpus/gpu_device.hpp"

namespace starpath::codelets {
namespace {

constexpr unsigned kGpuMask = STARPU_WORKER_TO_MASK(kGpuWorker);

struct Worker {
  std::unique_ptr<Scratch> scratch;  // used by its thread only
  std::atomic<std::int64_t> most_pixels{std::numeric_limits<std::int64_t>::max()};
};
std::array<Worker, STARPU_NMAXWORKERS> workers;

Worker& this_worker() { return workers[static_cast<std::size_t>(starpu_worker_get_id_check())]; }

Scratch& this_scratch() {
  std::unique_ptr<Scratch>& scratch = this_worker().scratch;
  if (scratch == nullptr) scratch = std::make_unique<Scratch>(gpu_memory(starpu_worker_get_local_memory_node()));
  return *scratch;
}

struct Preparation {
  std::int64_t pixels;
  std::size_t scratch;
  std::mutex mutex;
  std::vector<std::string> notes;
};

void prepare_this(void* argument) {
  auto& preparation = *static_cast<Preparation*>(argument);
  const bool room = set_memory_aside(this_scratch(), preparation.scratch, preparation.pixels, [] {
    return std::int64_t{starpu_memory_get_available(starpu_worker_get_local_memory_node())};
  });
  if (room) {
    this_worker().most_pixels = std::numeric_limits<std::int64_t>::max();
    return;
  }
  this_worker().most_pixels = preparation.pixels - 1;
  std::array<char, 64> name{};
  starpu_worker_get_name(starpu_worker_get_id(), name.data(), name.size());
  const std::lock_guard lock(preparation.mutex);
  preparation.notes.push_back(std::string(name.data()) + ": not enough memory for images of " +
                              std::to_string(preparation.pixels) +
                              " pixels, so other workers do these tasks; smaller tiles would fit");
}

void release_this(void*) { this_worker().scratch.reset(); }

}  // namespace

KernelContext gpu_context() { return {this_scratch(), gpu_stream()}; }

std::vector<std::string> prepare_gpu_workers(std::int64_t pixels, std::size_t scratch) {
  Preparation preparation{pixels, scratch, {}, {}};
  if (gpu_worker_count() != 0) starpu_execute_on_each_worker(prepare_this, &preparation, kGpuMask);
  return preparation.notes;
}

void release_gpu_workers() {
  if (gpu_worker_count() != 0) starpu_execute_on_each_worker(release_this, nullptr, kGpuMask);
}

int has_room(unsigned worker, starpu_task* task, unsigned) {
  if (!is_gpu(static_cast<int>(worker))) return 1;
  const starpu_data_handle_t image = STARPU_TASK_GET_HANDLE(task, 0);
  if (starpu_data_get_interface_id(image) != STARPU_MATRIX_INTERFACE_ID) return 1;
  const auto pixels = static_cast<std::int64_t>(starpu_matrix_get_nx(image)) * starpu_matrix_get_ny(image);
  return pixels <= workers[worker].most_pixels ? 1 : 0;
}

}  // namespace starpath::codelets
