// The memory that tiles need, compared with the memory there is.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

namespace starpath {

/// The memory that StarPU allocates for one tile in main memory. Kernels need more beside it.
struct MemoryNeed {
  std::int64_t at_once = 0;    // bytes that live at the same time, at the least
  std::int64_t largest = 0;    // of the data, bytes
  const char* whose = "";      // "tile"
  const char* make_less = "";  // advice, as "use a smaller --tile"; "" when it cannot be less
};

/// StarPU is running. Throws Error{runtime} when the data of one tile do not fit into StarPU's limit, the limit of the
/// address space, that of a container or job, or the machine's memory: StarPU would wait for it for ever, or the system
/// end the process without a word.
void check_memory(const MemoryNeed& need);

/// Whether StarPU could not allocate so much in the machine's memory now.
bool memory_is_short(std::int64_t bytes);

/// From now on, `end` is called in place of the default, which says the line on stderr and ends the process with the
/// code of ErrorKind::runtime. It may be called on any thread, and must end the process: StarPU can neither go on nor
/// stop.
void end_runs_without_memory_by(std::function<void(const std::string& why)> end);

/// Ends the process. `waiting`: "3 tiles".
[[noreturn]] void end_run_without_memory(const MemoryNeed& need, const std::string& waiting);

}  // namespace starpath
