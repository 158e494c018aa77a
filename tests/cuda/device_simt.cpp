// The SIMT host runtime as a device: its memory is the host's.
#include <cstdlib>
#include <cstring>
#include <new>

#include "support/cuda/device.hpp"
#include "tests/support/simt.hpp"

namespace starpath::support {

void* device_allocate(std::size_t bytes) {
  void* const data = std::malloc(bytes);
  if (data == nullptr) throw std::bad_alloc();
  return data;
}
void device_free(void* data) { std::free(data); }
void copy_to_device(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
void copy_from_device(void* to, const void* from, std::size_t bytes) { std::memcpy(to, from, bytes); }
MemorySource device_memory() { return host_memory(); }
void set_order(std::uint64_t seed) { simt::set_seed(seed); }
int device_strength() { return 1; }

}  // namespace starpath::support
