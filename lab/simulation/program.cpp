#include "lab/simulation/program.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>
#include <iostream>

#include "base/error.hpp"

namespace starpath::lab {

void WorkOptions::add_to(CLI::App& program) {
  program.add_option("--workload", workload)->required();
  program.add_option("--estimator", estimator);
  program.add_option("--set", set);
  program.add_option("--seed", seed);
}

WorkloadModel WorkOptions::model() const { return read_workload(ModelFile(std::filesystem::path(workload)), set); }

starpu_conf conf_of(const LabMachine& machine) {
  starpu_conf conf;
  starpu_conf_init(&conf);
  conf.ncpus = static_cast<int>(machine.cpu_workers());
  conf.ncuda = static_cast<int>(machine.devices());
  return conf;
}

void run_program(CLI::App& program, int argc, char** argv, const std::function<void()>& run) {
  int code = static_cast<int>(ErrorKind::internal);
  try {
    program.parse(argc, argv);
    run();
  } catch (const CLI::ParseError& error) {
    code = program.exit(error) == 0 ? 0 : static_cast<int>(ErrorKind::usage);
    std::cout.flush();
  } catch (const Error& error) {
    fmt::print(stderr, "{}: {}\n", program.get_name(), error.what());
    code = static_cast<int>(error.kind());
  }
  std::_Exit(code);
}

void conclude(const nlohmann::json& result) {
  fmt::print("{}\n", result.dump());
  std::fflush(stdout);
  std::_Exit(0);
}

}  // namespace starpath::lab
