// Loads the topologies that the environment names as hwloc would, one at a time and strictly. In a child, since newer
// versions of hwloc print a line of their own.
#include "pipelines/run/hwloc_environment.hpp"

#include <fmt/format.h>
#include <hwloc.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "base/child_trial.hpp"
#include "base/error.hpp"

namespace starpath {
namespace {

struct DestroyTopology {
  void operator()(hwloc_topology* topology) const { hwloc_topology_destroy(topology); }
};
using Topology = std::unique_ptr<hwloc_topology, DestroyTopology>;

[[noreturn]] void refuse(const char* variable, const char* value, const std::string& reason) {
  throw Error(ErrorKind::runtime,
              fmt::format("{}={}: {}; mend or unset it, so that hwloc looks at this machine", variable, value, reason));
}

Topology new_topology() {
  hwloc_topology_t raw = nullptr;
  if (hwloc_topology_init(&raw) != 0) throw Error(ErrorKind::runtime, "hwloc does not start");
  return Topology(raw);
}

std::string reason_of(const std::string& otherwise) {
  return errno != 0 && errno != EINVAL ? std::strerror(errno) : otherwise;
}

/// `topology` knows where to look.
void expect_machine(const Topology& topology, const char* variable, const char* value) {
  errno = 0;
  if (hwloc_topology_load(topology.get()) != 0) refuse(variable, value, reason_of("hwloc finds the machine damaged"));
  if (hwloc_get_nbobjs_by_type(topology.get(), HWLOC_OBJ_PU) < 1)
    refuse(variable, value, "hwloc finds no core in that machine");
  if (hwloc_get_root_obj(topology.get())->total_memory == 0)
    refuse(variable, value, "hwloc finds no memory in that machine");
}

void check_xml(const char* variable, const char* file) {
  const Topology topology = new_topology();
  errno = 0;
  if (hwloc_topology_set_xml(topology.get(), file) != 0)
    refuse(variable, file, reason_of("it is no topology in hwloc's XML"));
  expect_machine(topology, variable, file);
}

void check_synthetic(const char* variable, const char* description) {
  const Topology topology = new_topology();
  if (hwloc_topology_set_synthetic(topology.get(), description) != 0)
    refuse(variable, description, "it is no synthetic topology as hwloc describes them");
  expect_machine(topology, variable, description);
}

/// hwloc has no call for this one, so the variable itself is checked.
void check_root(const char* variable, const char* folder) {
  for (const char* inside : {"proc", "sys/devices/system/cpu"}) {
    std::error_code error;
    const auto needed = std::filesystem::path(folder) / inside;
    if (!std::filesystem::is_directory(needed, error)) refuse(variable, folder, "no folder " + needed.string());
  }
  expect_machine(new_topology(), variable, folder);
}

constexpr struct {
  const char* variable;
  void (*check)(const char* variable, const char* value);
} kChecks[] = {{"STARPU_HWLOC_INPUT", check_xml},
               {"HWLOC_XMLFILE", check_xml},
               {"HWLOC_SYNTHETIC", check_synthetic},
               {"HWLOC_FSROOT", check_root}};

}  // namespace

void check_hwloc_environment() {
  for (const auto& [variable, check] : kChecks) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const TrialEnd end = try_in_child([&, check = check, variable = variable] { check(variable, value); });
    if (end.crashed) refuse(variable, value, "hwloc crashes at it");
    if (!end.error.empty()) throw Error(ErrorKind::runtime, end.error);
  }
}

}  // namespace starpath
