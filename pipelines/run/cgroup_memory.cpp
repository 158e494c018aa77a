// The memory that a container, a service or a job of a batch system may use.
#include "pipelines/run/cgroup_memory.hpp"

#include <fstream>
#include <string>

namespace starpath {
namespace {

namespace fs = std::filesystem;

struct Group {
  fs::path mount, group;
  const char* limit;  // name of the file
};

/// Of a line of /proc/self/cgroup, "number:controllers:path". Version 2 names no controllers.
std::optional<Group> memory_group(const std::string& line, const fs::path& root) {
  const auto first = line.find(':'), second = line.find(':', first + 1);
  if (first == std::string::npos || second == std::string::npos) return std::nullopt;
  const std::string controllers = "," + line.substr(first + 1, second - first - 1) + ",";
  const fs::path mount = root / "sys/fs/cgroup", group = fs::path(line.substr(second + 1)).relative_path();
  if (controllers == ",,") return Group{mount, group, "memory.max"};
  if (controllers.find(",memory,") == std::string::npos) return std::nullopt;
  return Group{mount / "memory", group, "memory.limit_in_bytes"};
}

}  // namespace

std::optional<CgroupMemory> cgroup_memory(const fs::path& root) {
  std::optional<CgroupMemory> lowest;
  std::ifstream groups(root / "proc/self/cgroup");
  for (std::string line; std::getline(groups, line);) {
    std::optional<Group> at = memory_group(line, root);
    // Within a container the path may be the host's: then only the mount itself is there.
    for (bool more = at.has_value(); more;) {
      const fs::path file = at->mount / at->group / at->limit;
      std::int64_t bytes = 0;
      // "max" is no number, and no limit.
      if (std::ifstream(file) >> bytes && bytes > 0 && (!lowest || bytes < lowest->bytes)) lowest = {bytes, file};
      more = !at->group.empty();
      at->group = at->group.parent_path();
    }
  }
  return lowest;
}

}  // namespace starpath
