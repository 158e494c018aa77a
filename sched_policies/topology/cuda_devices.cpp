// CUDA's numbering of the GPUs, from the driver. The driver is looked up at run time, so builds need no CUDA.
#include "sched_policies/topology/cuda_devices.hpp"

#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <memory>

namespace starpath {
namespace {

struct CloseLibrary {
  void operator()(void* library) const { dlclose(library); }
};

// Of the driver's interface, whose functions return 0 for success.
using Init = int (*)(unsigned flags);
using GetCount = int (*)(int* count);
using GetBus = int (*)(char* bus, int length, int device);

}  // namespace

std::vector<std::string> cuda_pci_buses() {
  const std::unique_ptr<void, CloseLibrary> driver(dlopen("libcuda.so.1", RTLD_NOW));
  if (driver == nullptr) return {};
  const auto init = reinterpret_cast<Init>(dlsym(driver.get(), "cuInit"));
  const auto get_count = reinterpret_cast<GetCount>(dlsym(driver.get(), "cuDeviceGetCount"));
  const auto get_bus = reinterpret_cast<GetBus>(dlsym(driver.get(), "cuDeviceGetPCIBusId"));
  int count = 0;
  if (init == nullptr || get_count == nullptr || get_bus == nullptr || init(0) != 0 || get_count(&count) != 0)
    return {};
  std::vector<std::string> buses;
  for (int device = 0; device < count; ++device) {
    std::array<char, 32> text{};
    if (get_bus(text.data(), static_cast<int>(text.size()), device) != 0) return {};
    std::string bus(text.data());
    std::ranges::transform(bus, bus.begin(),
                           [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    buses.push_back(bus);
  }
  return buses;
}

}  // namespace starpath
