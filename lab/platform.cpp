// Files that describe a machine to StarPU and SimGrid.
#include "lab/platform.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/text_file.hpp"

namespace starpath::lab {
namespace {

/// The accelerators, one by one: the numbers that StarPU gives its CUDA devices.
std::vector<const Accelerator*> devices(const LabMachine& machine) {
  std::vector<const Accelerator*> all;
  for (const Accelerator& accelerator : machine.accelerators) all.insert(all.end(), accelerator.count, &accelerator);
  return all;
}

std::string link(const std::string& id, double bandwidth, double latency) {
  return fmt::format("  <link id=\"{}\" bandwidth=\"{:.0f}Bps\" latency=\"{:.9f}s\"/>\n", id, bandwidth, latency);
}

std::string route(const std::string& from, const std::string& to, const std::vector<std::string>& links) {
  std::string text = fmt::format("  <route src=\"{}\" dst=\"{}\" symmetrical=\"NO\">\n", from, to);
  for (const std::string& id : links) text += fmt::format("   <link_ctn id=\"{}\"/>\n", id);
  return text + "  </route>\n";
}

/// A square of numbers in StarPU's order of memory nodes: main memory, then the devices. `value(from, to)` of devices,
/// with -1 for main memory.
template <class Value>
std::string matrix(std::size_t devices, unsigned nodes, Value value) {
  std::string text = "# rows: from, columns: to\n";
  for (unsigned row = 0; row < nodes; ++row) {
    for (unsigned column = 0; column < nodes; ++column) {
      const bool known = row <= devices && column <= devices;
      const double number = !known ? NAN : row == column ? 0 : value(int(row) - 1, int(column) - 1);
      text += fmt::format("{}{:f}", column == 0 ? "" : "\t", number);
    }
    text += '\n';
  }
  return text;
}

/// A host a core and a device, each name after `prefix`, and their links.
std::string zone(const LabMachine& machine, const std::string& id, const std::string& prefix) {
  const auto all = devices(machine);
  const auto host = [&](const std::string& name) {
    return fmt::format("  <host id=\"{}{}\" speed=\"1Gf\"", prefix, name);
  };
  std::string hosts = host("MAIN") + "/>\n" + host("RAM") + "/>\n", links, routes;
  for (unsigned core = 0; core < machine.cores; ++core) hosts += host(fmt::format("CPU{}", core)) + "/>\n";
  links += link(prefix + "Host", machine.host_bandwidth, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = fmt::format("CUDA{}", i), down = fmt::format("{}RAM-{}", prefix, name),
                      up = fmt::format("{}{}-RAM", prefix, name);
    hosts += host(name) + fmt::format(
                              ">\n   <prop id=\"model\" value=\"{}\"/>\n   <prop id=\"memsize\" "
                              "value=\"{:.0f}\"/>\n  </host>\n",
                              all[i]->model, all[i]->memory_bytes);
    links += link(down, all[i]->to_device, all[i]->latency) + link(up, all[i]->from_device, all[i]->latency);
    routes += route(prefix + "RAM", prefix + name, {prefix + "Host", down}) +
              route(prefix + name, prefix + "RAM", {up, prefix + "Host"});
    for (std::size_t j = 0; j < all.size(); ++j)
      if (j != i)
        routes += route(prefix + name, fmt::format("{}CUDA{}", prefix, j),
                        {up, prefix + "Host", fmt::format("{}RAM-CUDA{}", prefix, j)});
  }
  return fmt::format(" <zone id=\"{}\" routing=\"Full\">\n", id) + hosts + links + routes + " </zone>\n";
}

constexpr const char* kHead =
    "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
    "version=\"4.1\">\n";

}  // namespace

const std::vector<std::pair<std::string, std::string>>& simgrid_flows() {
  static const std::vector<std::pair<std::string, std::string>> settings = {{"network/TCP-gamma", "-1"},
                                                                            {"network/latency-factor", "1"},
                                                                            {"network/bandwidth-factor", "1"},
                                                                            {"network/weight-S", "0.0"},
                                                                            {"network/crosstraffic", "0"}};
  return settings;
}

std::string simgrid_platform(const LabMachine& machine) {
  std::string config = " <config>\n";
  for (const auto& [name, value] : simgrid_flows())
    config += fmt::format("  <prop id=\"{}\" value=\"{}\"/>\n", name, value);
  return kHead + config + " </config>\n" + zone(machine, "machine", "") + "</platform>\n";
}

std::string simgrid_nodes(const std::vector<LabMachine>& nodes, double bandwidth, double latency) {
  std::string text = kHead;
  text += " <zone id=\"nodes\" routing=\"None\">\n";
  text += fmt::format(
      " <cluster id=\"network\" prefix=\"node\" suffix=\"\" radical=\"0-{}\" speed=\"1Gf\" bw=\"{:.0f}Bps\" "
      "lat=\"{:.9f}s\" sharing_policy=\"SPLITDUPLEX\"/>\n",
      nodes.size() - 1, bandwidth, latency / 2);
  for (std::size_t i = 0; i < nodes.size(); ++i)
    text += zone(nodes[i], fmt::format("StarPU-MPI{}", i), fmt::format("StarPU-MPI{}-", i));
  return text + " </zone>\n</platform>\n";
}

void write_platform(const LabMachine& machine, const std::filesystem::path& folder, unsigned nodes) {
  const auto all = devices(machine);
  const std::filesystem::path bus = folder / "bus";
  std::error_code error;
  std::filesystem::create_directories(bus, error);
  const auto file = [&](const char* ending) { return bus / (machine.name + ending); };
  write_text(file(".platform.v4.xml"), simgrid_platform(machine));
  write_text(file(".config"),
             fmt::format("# Current configuration\n{} # Number of CPUs\n{} # Number of CUDA devices\n0 # "
                         "Number of OpenCL devices\n",
                         machine.cores, all.size()));
  const auto one_way = [&](int from, int to, auto down, auto up) {
    if (from < 0) return down(*all[static_cast<std::size_t>(to)]);
    return up(*all[static_cast<std::size_t>(from)]);
  };
  const auto to_device = [](const Accelerator& device) { return device.to_device; };
  const auto from_device = [](const Accelerator& device) { return device.from_device; };
  const auto latency = [](const Accelerator& device) { return device.latency; };
  // StarPU's units: MB/s, microseconds.
  write_text(file(".bandwidth"), matrix(all.size(), nodes, [&](int from, int to) {
               const double first = one_way(from, to, to_device, from_device);
               return (from < 0 || to < 0 ? first : std::min(first, all[static_cast<std::size_t>(to)]->to_device)) *
                      1e-6;
             }));
  write_text(file(".latency"), matrix(all.size(), nodes, [&](int from, int to) {
               const double first = one_way(from, to, latency, latency);
               return (from < 0 || to < 0 ? first : first + all[static_cast<std::size_t>(to)]->latency) * 1e6;
             }));
  std::string affinity = "# GPU\tCPU0\n";
  for (std::size_t i = 0; i < all.size(); ++i) affinity += fmt::format("{}\t0\n", i);
  write_text(file(".affinity"), affinity);
}

}  // namespace starpath::lab
