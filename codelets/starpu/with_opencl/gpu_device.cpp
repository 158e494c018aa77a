// OpenCL devices on cores in the place of GPUs, for tests: kernels run in the thread of the device's worker, on buffers
// and scratch memory of the device that are mapped. The kernels are those of starpath::cuda, whose sources the SIMT
// host runtime runs (STARPATH_DEVICE_KERNELS=simt; for small images), or those of starpath::cpu.
#include "codelets/starpu/with_gpus/gpu_device.hpp"

#include <cstdint>
#include <cstdlib>
#include <map>
#include <string_view>

#include "codelets/starpu/gpu_workers.hpp"
#include "codelets/starpu/with_opencl/mapped_buffers.h"

namespace starpath::codelets {
namespace {

/// Scratch memory of a worker, used by its thread only: where each piece is mapped.
thread_local std::map<void*, cl_mem> mapped_scratch;

cl_command_queue worker_queue() {
  cl_command_queue queue;
  starpu_opencl_get_queue(starpu_worker_get_devid(starpu_worker_get_id_check()), &queue);
  return queue;
}

unsigned node_of(void* self) { return static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(self)); }

void* allocate(void* self, std::size_t bytes) {
  const std::uintptr_t memory = starpu_malloc_on_node_flags(node_of(self), bytes, STARPU_MALLOC_COUNT);
  if (memory == 0) return nullptr;
  auto* const buffer = reinterpret_cast<cl_mem>(memory);
  cl_int error;
  void* const data = clEnqueueMapBuffer(worker_queue(), buffer, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, bytes, 0,
                                        nullptr, nullptr, &error);
  starpath_check_opencl(error, "clEnqueueMapBuffer");
  mapped_scratch[data] = buffer;
  return data;
}

void release(void* self, void* data, std::size_t bytes) {
  const auto found = mapped_scratch.find(data);
  cl_mem const buffer = found->second;
  mapped_scratch.erase(found);
  starpath_check_opencl(clEnqueueUnmapMemObject(worker_queue(), buffer, data, 0, nullptr, nullptr),
                        "clEnqueueUnmapMemObject");
  clFinish(worker_queue());
  starpu_free_on_node_flags(node_of(self), reinterpret_cast<std::uintptr_t>(buffer), bytes, STARPU_MALLOC_COUNT);
}

}  // namespace

MemorySource gpu_memory(unsigned node) {
  return {allocate, release, reinterpret_cast<void*>(static_cast<std::uintptr_t>(node))};
}

void* gpu_stream() { return nullptr; }
const char* gpu_error() { return nullptr; }

namespace detail {

void call_on_opencl_device(starpu_cpu_func_t function, void* buffers[], void* argument) {
  starpath_call_task_mapped(function, buffers, argument);
}

bool opencl_takes_cpu_kernels() {
  static const bool simt = [] {
    const char* wanted = std::getenv("STARPATH_DEVICE_KERNELS");
    return wanted != nullptr && std::string_view(wanted) == "simt";
  }();
  return !simt;
}

}  // namespace detail
}  // namespace starpath::codelets
