// Splitting cores between ranks.
#include "runs/core_share.hpp"

#include <sched.h>

#include <cstdlib>
#include <vector>

#include "sched_policies/topology/machine_layout.hpp"

namespace starpath {

void take_core_share(const mpi::CoreShare& share) {
  if (share.of < 2) return;
  for (const char* name : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_GETBIND"})
    if (std::getenv(name) != nullptr) return;
  const std::vector<CoreInfo> cores = read_machine_layout("").cores;
  const auto number = static_cast<std::size_t>(share.number), of = static_cast<std::size_t>(share.of);
  std::size_t begin = number * cores.size() / of, end = (number + 1) * cores.size() / of;
  if (begin == end) begin = number % cores.size(), end = begin + 1;  // more ranks than cores
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t core = begin; core < end; ++core) CPU_SET(cores[core].os_cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace starpath
