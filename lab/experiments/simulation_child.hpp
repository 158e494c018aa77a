// A simulation as a child process: its environment, and what its output is worth.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "base/child_process.hpp"

namespace starpath::lab {

/// This process's environment without anything that steers StarPU or Starpath, with `home` for StarPU's files, among
/// them those of the machine `host`. Policies ask StarPU's performance models, which have the run's estimates.
Environment simulation_environment(const std::string& host, const std::filesystem::path& home);

/// What it printed. A run that deadlocks, dies, takes too long, finishes too few tasks, runs under another policy or
/// shows a policy a true time has failed, whatever its exit status: throws Error{runtime}, saying why.
nlohmann::json simulation_output(const ChildOutcome& outcome, const std::string& policy);

}  // namespace starpath::lab
