// Limits of control groups, from the files in which the kernel shows them.
#include "base/cgroup.hpp"

#include <fstream>
#include <functional>
#include <string>

namespace starpath {
namespace {

namespace fs = std::filesystem;

struct Group {
  fs::path mount, group;
  bool unified;  // version 2
};

/// Of a line of /proc/self/cgroup, "number:controllers:path", where it is about `controller`. Version 2 names none.
std::optional<Group> group_of(const std::string& line, const std::string& controller, const fs::path& root) {
  const auto first = line.find(':'), second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const std::string controllers = line.substr(first + 1, second - first - 1);
  const fs::path mount = root / "sys/fs/cgroup", group = fs::path(line.substr(second + 1)).relative_path();
  if (controllers.empty()) return Group{mount, group, true};
  if (("," + controllers + ",").find("," + controller + ",") == std::string::npos) return std::nullopt;
  std::error_code ignored;  // "cpu" may be a link to "cpu,cpuacct", or may not be there
  return Group{mount / (fs::exists(mount / controller, ignored) ? controller : controllers), group, false};
}

/// Calls look(folder, unified) for the group of this process and for each one around it.
void for_each_group(const std::string& controller, const fs::path& root,
                    const std::function<void(const fs::path&, bool)>& look) {
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::optional<Group> at = group_of(line, controller, root);
    // Within a container the path may be the host's: then only the mount itself is there.
    for (bool more = at.has_value(); more; at->group = at->group.parent_path()) {
      look(at->mount / at->group, at->unified);
      more = !at->group.empty();
    }
  }
}

/// "max" is no number, and no limit; nor is -1.
template <class Number>
std::optional<Number> limit_in(std::istream& file) {
  Number limit = 0;
  return file >> limit && limit > 0 ? std::optional(limit) : std::nullopt;
}

std::optional<double> cpus_of(const fs::path& group, bool unified) {
  std::ifstream quota_file(group / (unified ? "cpu.max" : "cpu.cfs_quota_us"));
  const auto quota = limit_in<std::int64_t>(quota_file);
  std::ifstream period_file(group / "cpu.cfs_period_us");
  const auto period = limit_in<std::int64_t>(unified ? quota_file : period_file);
  if (!quota || !period) return std::nullopt;
  return static_cast<double>(*quota) / static_cast<double>(*period);
}

}  // namespace

std::optional<CgroupMemory> cgroup_memory(const fs::path& root) {
  std::optional<CgroupMemory> lowest;
  for_each_group("memory", root, [&](const fs::path& group, bool unified) {
    const fs::path file = group / (unified ? "memory.max" : "memory.limit_in_bytes");
    std::ifstream in(file);
    const auto bytes = limit_in<std::int64_t>(in);
    if (bytes && (!lowest || *bytes < lowest->bytes)) lowest = {*bytes, file};
  });
  return lowest;
}

std::optional<double> cgroup_cpus(const fs::path& root) {
  std::optional<double> lowest;
  for_each_group("cpu", root, [&](const fs::path& group, bool unified) {
    const auto cpus = cpus_of(group, unified);
    if (cpus && (!lowest || *cpus < *lowest)) lowest = cpus;
  });
  return lowest;
}

}  // namespace starpath
