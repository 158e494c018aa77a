// Files that describe a machine to StarPU and SimGrid.
#include "lab/platform.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

/// The accelerators, one by one: the numbers that StarPU gives its CUDA devices.
std::vector<const Accelerator*> devices(const LabMachine& machine) {
  std::vector<const Accelerator*> all;
  for (const Accelerator& own : machine.accelerators) all.insert(all.end(), own.count, &own);
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
      const double own = !known ? NAN : row == column ? 0 : value(int(row) - 1, int(column) - 1);
      text += fmt::format("{}{:f}", column == 0 ? "" : "\t", own);
    }
    text += '\n';
  }
  return text;
}

void write(const std::filesystem::path& path, const std::string& text) {
  std::ofstream file(path);
  file << text;
  file.close();
  if (!file) throw Error(ErrorKind::output, fmt::format("cannot write {}", path.string()));
}

}  // namespace

std::string simgrid_platform(const LabMachine& machine) {
  const auto all = devices(machine);
  std::string hosts, links, routes;
  for (unsigned core = 0; core < machine.cores; ++core)
    hosts += fmt::format("  <host id=\"CPU{}\" speed=\"1Gf\"/>\n", core);
  links += link("Host", machine.host_bandwidth, 0);
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::string name = fmt::format("CUDA{}", i), down = "RAM-" + name, up = name + "-RAM";
    hosts += fmt::format(
        "  <host id=\"{}\" speed=\"1Gf\">\n   <prop id=\"model\" value=\"{}\"/>\n   <prop id=\"memsize\" "
        "value=\"{:.0f}\"/>\n  </host>\n",
        name, all[i]->model, all[i]->memory_bytes);
    links += link(down, all[i]->to_device, all[i]->latency) + link(up, all[i]->from_device, all[i]->latency);
    routes += route("RAM", name, {"Host", down}) + route(name, "RAM", {up, "Host"});
    for (std::size_t j = 0; j < all.size(); ++j)
      if (j != i) routes += route(name, fmt::format("CUDA{}", j), {up, "Host", fmt::format("RAM-CUDA{}", j)});
  }
  // Plain flows: bandwidth and latency are exactly the links', as on a bus.
  return "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n<platform "
         "version=\"4.1\">\n <config>\n  <prop id=\"network/TCP-gamma\" value=\"-1\"/>\n  <prop "
         "id=\"network/latency-factor\" value=\"1\"/>\n  <prop id=\"network/bandwidth-factor\" value=\"1\"/>\n  "
         "<prop id=\"network/weight-S\" value=\"0.0\"/>\n  <prop id=\"network/crosstraffic\" value=\"0\"/>\n "
         "</config>\n <zone id=\"machine\" routing=\"Full\">\n  <host id=\"MAIN\" speed=\"1Gf\"/>\n  <host "
         "id=\"RAM\" speed=\"1Gf\"/>\n" +
         hosts + links + routes + " </zone>\n</platform>\n";
}

void write_platform(const LabMachine& machine, const std::filesystem::path& folder, unsigned nodes) {
  const auto all = devices(machine);
  const std::filesystem::path bus = folder / "bus";
  std::error_code error;
  std::filesystem::create_directories(bus, error);
  const auto file = [&](const char* ending) { return bus / (machine.name + ending); };
  write(file(".platform.v4.xml"), simgrid_platform(machine));
  write(file(".config"), fmt::format("# Current configuration\n{} # Number of CPUs\n{} # Number of CUDA devices\n0 # "
                                     "Number of OpenCL devices\n",
                                     machine.cores, all.size()));
  const auto one_way = [&](int from, int to, auto down, auto up) {
    if (from < 0) return down(*all[static_cast<std::size_t>(to)]);
    return up(*all[static_cast<std::size_t>(from)]);
  };
  const auto to_device = [](const Accelerator& own) { return own.to_device; };
  const auto from_device = [](const Accelerator& own) { return own.from_device; };
  const auto latency = [](const Accelerator& own) { return own.latency; };
  // StarPU's units: MB/s, microseconds.
  write(file(".bandwidth"), matrix(all.size(), nodes, [&](int from, int to) {
          const double first = one_way(from, to, to_device, from_device);
          return (from < 0 || to < 0 ? first : std::min(first, all[static_cast<std::size_t>(to)]->to_device)) * 1e-6;
        }));
  write(file(".latency"), matrix(all.size(), nodes, [&](int from, int to) {
          const double first = one_way(from, to, latency, latency);
          return (from < 0 || to < 0 ? first : first + all[static_cast<std::size_t>(to)]->latency) * 1e6;
        }));
  std::string affinity = "# GPU\tCPU0\n";
  for (std::size_t i = 0; i < all.size(); ++i) affinity += fmt::format("{}\t0\n", i);
  write(file(".affinity"), affinity);
}

}  // namespace starpath::lab
