// `starpath policies`: which scheduling policies can be chosen, and the options of ours.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "sched_policies/options/option_table.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/policies/policy_table.hpp"

namespace starpath::apps {
namespace {

/// The default of STARPATH_ESTIMATOR under the policy; "" if it is none of ours or asks for no estimates.
std::string default_estimator_of(const PolicyName& policy) {
  const auto found = std::ranges::find(policy_table(), policy.name, &PolicyInfo::name);
  if (!policy.ours || found == policy_table().end() || !found->uses_estimates) return "";
  return std::string(name_of(default_estimator(*found)));
}

void print_text(const std::vector<PolicyName>& policies) {
  for (const bool ours : {true, false}) {
    print_out("{}\n",
              ours ? "Of Starpath (in any StarPU program: STARPU_SCHED_LIB=libstarpath_sched.so STARPU_SCHED=NAME):"
                   : "\nBuilt into StarPU:");
    for (const PolicyName& policy : policies) {
      if (policy.ours != ours) continue;
      print_out("  {:<34} {}\n", policy.name, policy.description);
      if (const std::string estimator = default_estimator_of(policy); !estimator.empty())
        print_out("  {:<34}   estimates: {}\n", "", estimator);
    }
  }
  print_out("\nOptions of Starpath's policies (environment variables):\n");
  for (const OptionInfo& option : option_table()) {
    print_out("  {:<34} {}\n  {:<34}   values: {}{}{}\n", option.variable, option.description, "", option.allowed,
              option.fallback.empty() ? "" : "; default: ", option.fallback);
  }
}

nlohmann::json to_json(const std::vector<PolicyName>& policies) {
  nlohmann::json out = {{"policies", nlohmann::json::array()}, {"options", nlohmann::json::array()}};
  for (const PolicyName& policy : policies)
    out["policies"].push_back({{"name", policy.name},
                               {"description", policy.description},
                               {"starpath", policy.ours},
                               {"estimator", default_estimator_of(policy)}});
  for (const OptionInfo& option : option_table())
    out["options"].push_back({{"variable", option.variable},
                              {"values", option.allowed},
                              {"default", option.fallback},
                              {"description", option.description}});
  return out;
}

void run(bool json) {
  const std::vector<PolicyName> policies = available_policies();
  if (!json) return print_text(policies);
  write_json(to_json(policies), 2);
}

}  // namespace

void add_policies_command(CLI::App& app) {
  auto json = std::make_shared<bool>(false);
  CLI::App* command = app.add_subcommand(
      "policies", "List the scheduling policies that --policy and STARPU_SCHED take, and their options");
  command->add_flag("--json", *json, "Print JSON");
  command->footer(R"help(Examples:
  starpath policies
  starpath segment slide.svs --out results --policy apex
  eval "$(starpath env apex)"; ./any_starpu_program   # the same policies in any StarPU program

docs/policies.md says what each one is for.)help");
  command->callback([json] { run(*json); });
}

}  // namespace starpath::apps
