// CUDA streams and scratch memory of CUDA workers.
#include "codelets/starpu/gpu_workers.hpp"

#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <mutex>

#include "codelets/kernels/gpu_memory.hpp"

namespace starpath::codelets {
namespace {

// Scratch memory counts in what StarPU knows of the device, so that it makes room elsewhere.
constexpr int kCounted = STARPU_MALLOC_COUNT;

unsigned node_of(void* self) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(self)); }

void* allocate(void* self, std::size_t bytes) {
  return reinterpret_cast<void*>(starpu_malloc_on_node_flags(node_of(self), bytes, kCounted));
}
void release(void* self, void* data, std::size_t bytes) {
  starpu_free_on_node_flags(node_of(self), reinterpret_cast<std::uintptr_t>(data), bytes, kCounted);
}

struct Worker {
  std::unique_ptr<Scratch> scratch;  // used by its thread only
  std::atomic<std::int64_t> most_pixels{std::numeric_limits<std::int64_t>::max()};
};
std::array<Worker, STARPU_NMAXWORKERS> workers;

Worker& this_worker() { return workers[static_cast<std::size_t>(starpu_worker_get_id_check())]; }

Scratch& this_scratch() {
  std::unique_ptr<Scratch>& scratch = this_worker().scratch;
  if (scratch == nullptr) {
    const auto node = static_cast<std::uintptr_t>(starpu_worker_get_local_memory_node());
    scratch = std::make_unique<Scratch>(MemorySource{allocate, release, reinterpret_cast<void*>(node)});
  }
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

KernelContext gpu_context() {
  // StarPU asks events on this thread, and the cudaErrorNotReady of an answer may be what launches would find.
  static_cast<void>(cudaGetLastError());
  return {this_scratch(), starpu_cuda_get_local_stream()};
}

std::vector<std::string> prepare_gpu_workers(std::int64_t pixels, std::size_t scratch) {
  Preparation preparation{pixels, scratch, {}, {}};
  if (starpu_cuda_worker_get_count() != 0) starpu_execute_on_each_worker(prepare_this, &preparation, STARPU_CUDA);
  return preparation.notes;
}

void release_gpu_workers() {
  if (starpu_cuda_worker_get_count() != 0) starpu_execute_on_each_worker(release_this, nullptr, STARPU_CUDA);
}

const char* gpu_error() {
  const cudaError_t error = cudaPeekAtLastError();
  return error == cudaSuccess || error == cudaErrorNotReady ? nullptr : cudaGetErrorString(error);
}

int has_room(unsigned worker, starpu_task* task, unsigned) {
  if (starpu_worker_get_type(static_cast<int>(worker)) != STARPU_CUDA_WORKER) return 1;
  const starpu_data_handle_t image = STARPU_TASK_GET_HANDLE(task, 0);
  if (starpu_data_get_interface_id(image) != STARPU_MATRIX_INTERFACE_ID) return 1;
  const auto pixels = static_cast<std::int64_t>(starpu_matrix_get_nx(image)) * starpu_matrix_get_ny(image);
  return pixels <= workers[worker].most_pixels ? 1 : 0;
}

}  // namespace starpath::codelets
