// Limits on memory, and the end of a run that does not get any.
#include "pipelines/run/memory_need.hpp"

#include <fmt/format.h>
#include <starpu.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <fstream>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "base/cgroup.hpp"
#include "base/error.hpp"

namespace starpath {
namespace {

struct MemoryLimit {
  std::int64_t bytes;
  std::string words, make_more;
};

std::int64_t in_mib(std::int64_t bytes) { return bytes >> 20; }

std::vector<unsigned> nodes_of_the_machine() {
  std::vector<unsigned> nodes;
  for (unsigned node = 0; node < starpu_memory_nodes_get_count(); ++node)
    if (starpu_node_get_kind(node) == STARPU_CPU_RAM) nodes.push_back(node);
  return nodes;
}

/// Of all NUMA nodes together.
MemoryLimit starpu_limit() {
  std::int64_t total = 0;
  for (const unsigned node : nodes_of_the_machine()) {
    const std::int64_t bytes = starpu_memory_get_total(node);
    if (bytes < 0) return {std::numeric_limits<std::int64_t>::max(), "", ""};
    total += bytes;
  }
  for (const char* name : {"STARPU_LIMIT_CPU_NUMA_MEM", "STARPU_LIMIT_CPU_MEM"})
    if (const char* value = std::getenv(name))
      return {total, fmt::format("StarPU may allocate {} MiB ({}={})", in_mib(total), name, value),
              fmt::format("raise {}", name)};
  return {total, fmt::format("StarPU takes at most nine tenths of this machine's memory, {} MiB", in_mib(total)),
          "take a machine with more"};
}

/// What StarPU, the results and the kernels of a small tile take beside its data: a run of one tile of 512 pixels on
/// two workers. StarPU ends the process without a line where it lacks some bytes for itself.
constexpr std::int64_t kBesideData = std::int64_t{16} << 20;

/// The rest of what `ulimit OPTION` lets the data have; the process has the FIELDth number of /proc/self/statm
/// (proc(5)) so far.
MemoryLimit process_limit(decltype(RLIMIT_AS) resource, std::size_t field, const char* of_what, const char* option) {
  rlimit limit{};
  if (getrlimit(resource, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return {std::numeric_limits<std::int64_t>::max(), "", ""};
  std::array<std::int64_t, 7> pages{};
  std::ifstream statm("/proc/self/statm");
  for (std::int64_t& number : pages) statm >> number;
  const std::int64_t left =
      std::max<std::int64_t>(static_cast<std::int64_t>(limit.rlim_cur) - pages[field] * sysconf(_SC_PAGESIZE), 0);
  return {std::max<std::int64_t>(left - kBesideData, 0),
          fmt::format("{} MiB are left of {} (ulimit {} {}), where StarPU and the kernels need {} MiB more",
                      in_mib(left), of_what, option, limit.rlim_cur / 1024, in_mib(kBesideData)),
          fmt::format("raise ulimit {}", option)};
}

/// Of which the system ends the process that takes more.
MemoryLimit cgroup_limit() {
  const std::optional<CgroupMemory> limit = cgroup_memory();
  if (!limit) return {std::numeric_limits<std::int64_t>::max(), "", ""};
  return {limit->bytes,
          fmt::format("the container or job may use {} MiB ({})", in_mib(limit->bytes), limit->file.string()),
          "give the container or job more"};
}

MemoryLimit lowest_limit() {
  return std::min({starpu_limit(), process_limit(RLIMIT_AS, 0, "the address space", "-v"),
                   process_limit(RLIMIT_DATA, 5, "the memory for data", "-d"), cgroup_limit()},
                  [](const MemoryLimit& a, const MemoryLimit& b) { return a.bytes < b.bytes; });
}

std::string either(const std::string& one, const std::string& other) {
  return one.empty() ? other : fmt::format("{}, or {}", one, other);
}

std::mutex ending;
std::function<void(const std::string&)> end_of_runs;

[[noreturn]] void say_and_end(const std::string& why) {
  const std::string line = "starpath: " + why + "\n";
  (void)!::write(STDERR_FILENO, line.data(), line.size());
  std::_Exit(static_cast<int>(ErrorKind::runtime));
}

}  // namespace

void check_memory(const MemoryNeed& need) {
  const MemoryLimit limit = lowest_limit();
  if (need.at_once <= limit.bytes) return;
  throw Error(ErrorKind::runtime,
              fmt::format("out of memory: the data of a {} take {} MiB at once, and {}: {}", need.whose,
                          in_mib(need.at_once) + 1, limit.words, either(need.make_less, limit.make_more)));
}

bool memory_is_short(std::int64_t bytes) {
  for (const unsigned node : nodes_of_the_machine()) {
    const std::int64_t total = starpu_memory_get_total(node);
    if (total >= 0 && total - static_cast<std::int64_t>(starpu_memory_get_used(node)) < bytes) return true;
  }
  const std::unique_ptr<void, decltype(&std::free)> trial(std::malloc(static_cast<std::size_t>(bytes)), std::free);
  return trial == nullptr;
}

void end_runs_without_memory_by(std::function<void(const std::string& why)> end) {
  const std::lock_guard lock(ending);
  end_of_runs = std::move(end);
}

void end_run_without_memory(const MemoryNeed& need, const std::string& waiting) {
  const std::lock_guard lock(ending);  // one line, also when other threads find the same
  const MemoryLimit limit = lowest_limit();
  const std::string why = fmt::format(
      "out of memory: {} wait for data that StarPU cannot allocate, of up to {} MiB each{}{}: use a "
      "smaller --window, {}; what was finished is kept: continue with --resume, or start again if "
      "the command has no --resume",
      waiting, in_mib(need.largest) + 1, limit.words.empty() ? "" : ", and ", limit.words,
      either(need.make_less, limit.make_more.empty() ? "close other programs" : limit.make_more));
  if (end_of_runs) end_of_runs(why);
  say_and_end(why);
}

}  // namespace starpath
