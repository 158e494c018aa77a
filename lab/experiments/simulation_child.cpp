#include "lab/experiments/simulation_child.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "base/error.hpp"

namespace starpath::lab {
namespace {

/// The line of SimGrid's, StarPU's or our own that says most.
std::string telling_line(const std::string& errors) {
  std::string last;
  std::size_t begin = 0;
  while (begin < errors.size()) {
    const auto end = std::min(errors.find('\n', begin), errors.size());
    const std::string line = errors.substr(begin, end - begin);
    begin = end + 1;
    if (line.find("Deadlock") != std::string::npos || line.find("ssert") != std::string::npos ||
        line.starts_with("starpath"))
      return line;
    if (!line.empty() && line.find("xbt_cfg") == std::string::npos) last = line;
  }
  return last;
}

}  // namespace

Environment simulation_environment(const std::string& host, const std::filesystem::path& home) {
  Environment environment = current_environment();
  std::erase_if(environment, [](const auto& entry) {
    return entry.first.starts_with("STARPU_") || entry.first.starts_with("STARPATH_");
  });
  environment["STARPU_HOSTNAME"] = host;
  environment["STARPU_HOME"] = environment["STARPU_PERF_MODEL_DIR"] = home.string();
  environment["STARPU_SILENT"] = "1";
  environment["STARPATH_ESTIMATOR"] = "perfmodel";
  return environment;
}

nlohmann::json simulation_output(const ChildOutcome& outcome, const std::string& policy) {
  const auto fail = [&](const std::string& why) {
    const std::string line = telling_line(outcome.errors);
    throw Error(ErrorKind::runtime, why + (line.empty() ? "" : ": " + line));
  };
  if (const std::string why = outcome.failure(); !why.empty()) fail(why);
  // A simulation that deadlocks exits with 0, having printed nothing.
  nlohmann::json output = nlohmann::json::parse(outcome.output, nullptr, false);
  if (!output.is_object()) fail("ended before all tasks were finished");
  if (output["finished"] != output["tasks"])
    fail(fmt::format("finished {} of {} tasks", output["finished"].dump(), output["tasks"].dump()));
  if (output["policy"] != policy) fail(fmt::format("ran under {} instead of {}", output["policy"].dump(), policy));
  if (output["truth_seen"] != 0) fail("the policy asked for the true time of a task");
  return output;
}

}  // namespace starpath::lab
