// `starpath env POLICY`: what a shell must set to run any StarPU program under a policy.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <memory>
#include <string>

#include "apps/cli/terminal.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "sched_policies/topology/gpu_placement.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter = R"help(Examples:
  eval "$(starpath env apex)"                                # this shell, from now on
  (eval "$(starpath env fcfs)"; ./your_application)          # one run
  settings=$(starpath env apex) && eval "$settings"          # in a script: ends in failure if this command does
  starpath env apex --shell fish | source                    # fish
  eval `starpath env apex --shell csh`                       # csh, tcsh
  eval "$(starpath env apex --placement closest)"            # GPUs driven by the cores next to them, too

Prints settings and changes nothing itself:
  STARPU_SCHED_LIB   the policies: the plug-in that was installed with this command, whatever the shell has now
  STARPU_SCHED       the policy: one of `starpath policies`, Starpath's or StarPU's own
With --placement also, as `starpath placement` shows them:
  STARPATH_PLACEMENT                          the placement itself
  STARPU_WORKERS_CPUID, STARPU_WORKERS_CUDAID  how StarPU is told; one line on stderr says why, where it is told nothing
The program need not be linked with Starpath, nor compiled again; it must use StarPU 1.4 or newer. What it ran
under is what starpu_sched_get_sched_policy() says. Options of the policies are STARPATH_* variables.
To undo: unset STARPU_SCHED_LIB STARPU_SCHED (and the variables of --placement))help";

struct EnvArguments {
  std::string policy = "apex";  // of programs whose tasks wait for each other, too (docs/policies.md)
  std::string shell = "sh";
  std::string placement;  // empty: not asked for
};

std::string replace_all(std::string text, const std::string& what, const std::string& with) {
  for (std::size_t at = 0; (at = text.find(what, at)) != std::string::npos; at += with.size())
    text.replace(at, what.size(), with);
  return text;
}

/// The command that sets a variable, with the value quoted so that the shell takes it literally.
std::string setting(const std::string& shell, const char* name, const std::string& value) {
  if (shell == "fish")
    return fmt::format("set -gx {} '{}';", name, replace_all(replace_all(value, "\\", "\\\\"), "'", "\\'"));
  const std::string quoted = replace_all(value, "'", "'\\''");
  if (shell == "csh") return fmt::format("setenv {} '{}';", name, replace_all(quoted, "!", "\\!"));
  return fmt::format("export {}='{}'", name, quoted);
}

void print_placement(const EnvArguments& arguments) {
  const GpuPlacement plan = plan_gpu_placement(*parse_placement(arguments.placement), "");
  print_out("{}\n", setting(arguments.shell, "STARPATH_PLACEMENT", arguments.placement));
  for (const auto& [name, value] : plan.binding.variables)
    print_out("{}\n", setting(arguments.shell, name.c_str(), value));
  if (!plan.binding.reason.empty())
    print_error("starpath: placement: StarPU is told nothing: {}\n", plan.binding.reason);
}

void run(const EnvArguments& arguments) {
  // What an earlier installation left in the shell must not decide about this one.
  unsetenv("STARPU_SCHED_LIB");
  const std::string plugin = policy_plugin();
  const std::string policy = choose_policy({.policy = arguments.policy});
  print_out("{}\n{}\n", setting(arguments.shell, "STARPU_SCHED_LIB", plugin),
            setting(arguments.shell, "STARPU_SCHED", policy));
  if (!arguments.placement.empty()) print_placement(arguments);
}

}  // namespace

void add_env_command(CLI::App& app) {
  auto arguments = std::make_shared<EnvArguments>();
  CLI::App* command = app.add_subcommand("env", "Print what a shell sets to run any StarPU program under a policy");
  command->add_option("POLICY", arguments->policy, "Policy: one of `starpath policies`")->capture_default_str();
  command->add_option("--shell", arguments->shell, "The shell that reads it")
      ->check(CLI::IsMember({"sh", "fish", "csh"}))
      ->capture_default_str();
  command->add_option("--placement", arguments->placement, "Also place the cores that drive GPUs: closest, os or worst")
      ->check(CLI::IsMember({"closest", "os", "worst"}));
  command->footer(kFooter);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
