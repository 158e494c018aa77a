// Cores and GPUs from hwloc.
#include "sched_policies/topology/machine_layout.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <tuple>

#include "base/child_trial.hpp"
#include "base/error.hpp"
#include "sched_policies/topology/cuda_devices.hpp"

namespace starpath {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

struct FreeBitmap {
  void operator()(hwloc_bitmap_s* bitmap) const { hwloc_bitmap_free(bitmap); }
};
using Bitmap = std::unique_ptr<hwloc_bitmap_s, FreeBitmap>;

Topology load_here(const std::string& xml) {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw Error(ErrorKind::runtime, "hwloc does not start");
  Topology topology(raw);
  hwloc_topology_set_io_types_filter(raw, HWLOC_TYPE_FILTER_KEEP_IMPORTANT);
  // Nothing of OpenCL is asked for, and its drivers may end the process that starts them where memory is short.
  hwloc_topology_set_components(raw, HWLOC_TOPOLOGY_COMPONENTS_FLAG_BLACKLIST, "opencl");
  errno = 0;
  if (!xml.empty() && hwloc_topology_set_xml(raw, xml.c_str()) != 0)
    throw Error(ErrorKind::input,
                fmt::format("cannot read {} as an hwloc topology: {}", xml,
                            errno != 0 && errno != EINVAL ? std::strerror(errno) : "it is not hwloc XML"));
  if (hwloc_topology_load(raw) != 0) {
    if (xml.empty()) throw Error(ErrorKind::runtime, "hwloc cannot read this machine");
    throw Error(ErrorKind::input, fmt::format("cannot read {} as an hwloc topology: it is damaged", xml));
  }
  return topology;
}

Topology load(const std::string& xml) {
  const char* asked = std::getenv("HWLOC_XMLFILE");
  const std::string file = xml.empty() && asked != nullptr ? asked : xml;
  if (file.empty()) return load_here(xml);
  // hwloc 2.9 follows null pointers where a file lacks attributes; newer versions print a line of their own.
  const TrialEnd end = try_in_child([&] { load_here(xml); });
  if (end.crashed)
    throw Error(ErrorKind::input, fmt::format("cannot read {} as an hwloc topology: hwloc crashes at it", file));
  if (!end.error.empty()) throw Error(xml.empty() ? ErrorKind::runtime : ErrorKind::input, end.error);
  return load_here(xml);
}

/// The one NUMA node and the one package that hold all of `object`, if there are such.
Location location_of(hwloc_topology_t topology, hwloc_obj_t object) {
  Location location;
  if (hwloc_bitmap_weight(object->nodeset) == 1)
    location.numa_node = static_cast<unsigned>(hwloc_bitmap_first(object->nodeset));
  for (hwloc_obj_t package = nullptr;
       (package = hwloc_get_next_obj_by_type(topology, HWLOC_OBJ_PACKAGE, package)) != nullptr;)
    if (hwloc_bitmap_isincluded(object->cpuset, package->cpuset) != 0) location.package = package->logical_index;
  return location;
}

/// What this process may use; everything on a recorded machine.
Bitmap usable(hwloc_topology_t topology, bool this_machine) {
  Bitmap set(hwloc_bitmap_dup(hwloc_topology_get_allowed_cpuset(topology)));
  Bitmap bound(hwloc_bitmap_alloc());
  if (this_machine && hwloc_get_cpubind(topology, bound.get(), HWLOC_CPUBIND_THREAD) == 0)
    hwloc_bitmap_and(set.get(), set.get(), bound.get());
  return set;
}

std::vector<CoreInfo> cores_of(hwloc_topology_t topology, const std::string& xml) {
  const Bitmap allowed = usable(topology, xml.empty());
  // Some virtual machines report no cores: then each hardware thread counts as one, as in StarPU.
  const auto type = hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) > 0 ? HWLOC_OBJ_CORE : HWLOC_OBJ_PU;
  std::vector<CoreInfo> cores;
  for (hwloc_obj_t core = nullptr; (core = hwloc_get_next_obj_by_type(topology, type, core)) != nullptr;) {
    const Bitmap threads(hwloc_bitmap_dup(core->cpuset));
    hwloc_bitmap_and(threads.get(), threads.get(), allowed.get());
    const int first = hwloc_bitmap_first(threads.get());
    if (first < 0) continue;
    const hwloc_obj_t pu = hwloc_get_pu_obj_by_os_index(topology, static_cast<unsigned>(first));
    if (pu == nullptr)
      throw Error(ErrorKind::input,
                  fmt::format("cannot read {} as an hwloc topology: it lacks hardware thread {} of core {}",
                              xml.empty() ? "this machine" : xml, first, core->logical_index));
    cores.push_back({core->logical_index, pu->logical_index, pu->os_index, location_of(topology, core)});
  }
  return cores;
}

bool is_gpu(const hwloc_obj_t device) {
  constexpr unsigned nvidia = 0x10de, display = 0x03;
  return device->attr->pcidev.vendor_id == nvidia && device->attr->pcidev.class_id >> 8 == display;
}

/// The number in the name "cudaN" of the device's child from hwloc's CUDA plug-in.
std::optional<unsigned> hwloc_cuda_id(const hwloc_obj_t device) {
  constexpr std::string_view prefix = "cuda";
  for (hwloc_obj_t child = device->io_first_child; child != nullptr; child = child->next_sibling) {
    const std::string_view name = child->name == nullptr ? "" : child->name;
    unsigned number = 0;
    if (!name.starts_with(prefix)) continue;
    const auto [end, error] = std::from_chars(name.data() + prefix.size(), name.data() + name.size(), number);
    if (error == std::errc() && end == name.data() + name.size()) return number;
  }
  return std::nullopt;
}

std::vector<GpuInfo> gpus_of(hwloc_topology_t topology) {
  std::vector<GpuInfo> gpus;
  for (hwloc_obj_t device = nullptr; (device = hwloc_get_next_pcidev(topology, device)) != nullptr;) {
    if (!is_gpu(device)) continue;
    const auto& pci = device->attr->pcidev;
    const char* model = hwloc_obj_get_info_by_name(device, "PCIDevice");
    gpus.push_back({.cuda_id = hwloc_cuda_id(device),
                    .pci_bus = fmt::format("{:04x}:{:02x}:{:02x}.{:x}", pci.domain, pci.bus, pci.dev, pci.func),
                    .model = device->name != nullptr ? device->name
                             : model != nullptr      ? model
                                                     : "",
                    .location = location_of(topology, hwloc_get_non_io_ancestor_obj(topology, device))});
  }
  return gpus;
}

/// Numbers the GPUs as CUDA does. A GPU that CUDA shows and hwloc does not is added without a location: some containers
/// hide the PCI buses.
void number_by_driver(std::vector<GpuInfo>& gpus) {
  const std::vector<std::string> buses = cuda_pci_buses();
  for (unsigned id = 0; id < buses.size(); ++id) {
    auto gpu = std::ranges::find(gpus, buses[id], &GpuInfo::pci_bus);
    if (gpu == gpus.end())
      gpu = gpus.insert(gpus.end(), {.cuda_id = {}, .pci_bus = buses[id], .model = "", .location = {}});
    gpu->cuda_id = id;
  }
}

}  // namespace

MachineLayout read_machine_layout(const std::string& xml) {
  const Topology topology = load(xml);
  MachineLayout layout;
  layout.this_machine = xml.empty();
  layout.numa_nodes = static_cast<unsigned>(hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_NUMANODE));
  layout.packages = static_cast<unsigned>(hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PACKAGE));
  layout.cores = cores_of(topology.get(), xml);
  layout.gpus = gpus_of(topology.get());
  const auto numbered = [](const GpuInfo& gpu) { return gpu.cuda_id.has_value(); };
  if (layout.this_machine && std::ranges::none_of(layout.gpus, numbered)) number_by_driver(layout.gpus);
  std::ranges::sort(layout.gpus, {}, [](const GpuInfo& gpu) {
    return std::tuple(!gpu.cuda_id.has_value(), gpu.cuda_id.value_or(0), gpu.pci_bus);
  });
  return layout;
}

}  // namespace starpath
