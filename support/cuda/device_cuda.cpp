// A GPU as a device. STARPATH_DEVICE_STRENGTH says how large the images are: 1 as in the SIMT host runtime, 100 by
// default.
#include <cuda_runtime.h>

#include <cstdlib>
#include <new>
#include <stdexcept>

#include "support/cuda/device.hpp"

namespace starpath::support {
namespace {

void check(cudaError_t error) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("CUDA: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")");
}

void* allocate(void*, std::size_t bytes) {
  void* data = nullptr;
  return cudaMalloc(&data, bytes) == cudaSuccess ? data : nullptr;
}
void release(void*, void* data, std::size_t) { cudaFree(data); }

}  // namespace

void* device_allocate(std::size_t bytes) {
  void* const data = allocate(nullptr, bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
void device_free(void* data) { cudaFree(data); }
void copy_to_device(void* to, const void* from, std::size_t bytes) {
  check(cudaMemcpy(to, from, bytes, cudaMemcpyHostToDevice));
}
void copy_from_device(void* to, const void* from, std::size_t bytes) {
  check(cudaDeviceSynchronize());
  check(cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost));
}
MemorySource device_memory() { return {allocate, release}; }
void set_order(std::uint64_t) {}
int device_strength() {
  const char* const text = std::getenv("STARPATH_DEVICE_STRENGTH");
  return text == nullptr ? 100 : std::max(1, std::atoi(text));
}

}  // namespace starpath::support
