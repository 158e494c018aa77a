// `starpath policies`: which scheduling policies can be chosen.
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "pipelines/starpu_session.hpp"

namespace starpath::apps {
namespace {

void print_text(const std::vector<PolicyName>& policies) {
  for (const bool ours : {true, false}) {
    fmt::print("{}\n",
               ours ? "Of Starpath (in any StarPU program: STARPU_SCHED_LIB=libstarpath_sched.so STARPU_SCHED=NAME):"
                    : "\nBuilt into StarPU:");
    for (const PolicyName& policy : policies)
      if (policy.ours == ours) fmt::print("  {:<34} {}\n", policy.name, policy.description);
  }
}

void run(bool json) {
  const std::vector<PolicyName> policies = available_policies();
  if (!json) return print_text(policies);
  nlohmann::json out = nlohmann::json::array();
  for (const PolicyName& policy : policies)
    out.push_back({{"name", policy.name}, {"description", policy.description}, {"starpath", policy.ours}});
  fmt::print("{}\n", out.dump(2));
}

}  // namespace

void add_policies_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command =
      app.add_subcommand("policies", "List the scheduling policies that --policy and STARPU_SCHED take");
  command->add_flag("--json", *json, "Print JSON");
  command->callback([json] { run(*json); });
}

}  // namespace starpath::apps
