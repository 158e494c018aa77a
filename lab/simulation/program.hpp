// The common part of the programs that run a workload in SimGrid; starpath-lab starts them.
#pragma once
#include <starpu.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

/// Their options about the workload, as starpath-lab has them.
struct WorkOptions {
  std::string workload, estimator = "exact";
  std::vector<std::string> set;
  std::uint64_t seed = 1;

  void add_to(CLI::App& program);
  /// Throws as read_workload() does.
  WorkloadModel model() const;
};

/// StarPU's configuration for the machine's workers.
starpu_conf conf_of(const LabMachine& machine);

/// Parses the command line and calls `run`, which ends in conclude(). When either fails, says why in one line and ends
/// the process with the exit code.
[[noreturn]] void run_program(CLI::App& program, int argc, char** argv, const std::function<void()>& run);

/// Prints the result as one line and ends the process at once, and with it all simulated nodes. The copies and frees
/// that a real program would still do are not part of the makespan.
[[noreturn]] void conclude(const nlohmann::json& result);

}  // namespace starpath::lab
