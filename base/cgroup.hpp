// What a container, a service or a job of a batch system may use.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>

namespace starpath {

struct CgroupMemory {
  std::int64_t bytes;
  std::filesystem::path file;  // that says so
};

/// The lowest limit on memory of this process's control group and of the groups around it, version 1 or 2, as far as
/// they can be seen; nullopt: none. `root`: of the file system, for tests. Thread-safe.
std::optional<CgroupMemory> cgroup_memory(const std::filesystem::path& root = "/");

/// The lowest quota on processor time of the same groups, in cores' time: 1.5 is three seconds of one core in two
/// seconds. nullopt: none. Thread-safe.
std::optional<double> cgroup_cpus(const std::filesystem::path& root = "/");

}  // namespace starpath
