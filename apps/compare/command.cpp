// `starpath compare PIPELINE INPUT`: one input under several policies.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <memory>
#include <optional>
#include <thread>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/run/one_process.hpp"
#include "base/atomic_file.hpp"
#include "base/date_text.hpp"
#include "base/error.hpp"
#include "base/stop_signals.hpp"
#include "comparison/report.hpp"
#include "comparison/runs.hpp"
#include "pages/comparison/comparison_page.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "runs/kept_files.hpp"
#include "sched_policies/policies/built_in_policies.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

constexpr OutputKind kPage = {"starpath compare --html", [](const std::filesystem::path& file) {
                                return is_page_of(file, "starpath compare --html");
                              }};

constexpr const char* kFooter =
    R"help(Every run is a process of its own and writes into a temporary folder ($TMPDIR), which goes with it. Prints for each policy:
makespan (median, min, max), its ratio to the area bound, bytes moved, idle share of each class of workers, and
the share of each codelet on each class. A run that fails, hangs, or finds something else than the first one is
reported as failed, and the exit code is 7. docs/compare.md says how it is measured.

Examples:
  starpath compare segment slide.svs --html report.html
  starpath compare segment synthetic:4096x4096 --policy pats,fcfs,dmda,eager --repeat 5
  starpath compare nbia synthetic:8192x8192,pattern=stroma --json -- --recalc-rate 0.16 --cpus 4)help";

struct CompareArguments {
  std::string pipeline, input, html;
  std::string policies;  // separated by commas
  std::vector<std::string> more;
  unsigned repetitions = 3, calibrations = 1;
  double timeout = 0;
  bool json = false, quiet = false;
};

/// The policies asked for, else ours and those above: each once, under the name that StarPU gives it.
std::vector<std::string> policies_of(const CompareArguments& arguments) {
  std::vector<std::string> wanted = CLI::detail::split(arguments.policies, ',');
  std::erase(wanted, "");
  if (wanted.empty()) {
    for (const PolicyName& policy : available_policies())
      if (policy.ours) wanted.push_back(policy.name);
    for (const BuiltInPolicy& policy : kBuiltInPolicies) wanted.push_back(policy.name);
  }
  std::vector<std::string> policies;
  for (const std::string& name : wanted) {
    choose_policy({.policy = name});
    const std::string policy = todays_name(name);
    if (std::ranges::find(policies, policy) == policies.end()) policies.push_back(policy);
  }
  return policies;
}

std::vector<std::string> command_of(const CompareArguments& arguments) {
  std::vector<std::string> command = {"segment", arguments.input};
  if (arguments.pipeline == "nbia") command = {"nbia", "run", arguments.input};
  command.insert(command.end(), arguments.more.begin(), arguments.more.end());
  for (const std::string& argument : arguments.more) {
    const std::string name = argument.substr(0, argument.find('='));
    for (const char* reserved :
         {"--out", "--policy", "--resume", "--overwrite", "--export", "--record", "--json", "--quiet"})
      if (name == reserved)
        throw Error(ErrorKind::usage, fmt::format("{} behind --: every run gets its own from compare{}", reserved,
                                                  name == "--policy" ? "; give --policy before the --" : ""));
  }
  return command;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name"))
      return fmt::format("{}, {} hardware threads", line.substr(std::min(line.size(), line.find(':') + 2)),
                         std::thread::hardware_concurrency());
  return fmt::format("{} hardware threads", std::thread::hardware_concurrency());
}

ComparePlan plan_of(const CompareArguments& arguments) {
  ComparePlan plan{command_of(arguments), policies_of(arguments), "eager",
                   arguments.repetitions, arguments.calibrations, arguments.timeout};
  // Whoever comes first gets what is there, so that every class of devices is measured; ours also measure for the
  // profile.
  for (const PolicyName& policy : available_policies())
    if (policy.ours && policy.name == "fcfs") plan.calibrate_under = policy.name;
  return plan;
}

void tell_of(const ComparedRun& run, bool calibration, unsigned done, unsigned all) {
  const std::string what = calibration ? "calibration under " + run.policy : run.policy;
  if (run.failure.empty())
    print_error("starpath: run {} of {}: {}, {:.3f} s\n", done, all, what, run.record.makespan);
  else
    print_error("starpath: run {} of {}: {} FAILED: {}\n", done, all, what, run.failure);
}

/// Prints the comparison, and writes the page if there is a file for it.
void report(const CompareArguments& arguments, const ComparePlan& plan, const std::vector<ComparedRun>& runs,
            std::optional<AtomicFile>& page) {
  const CompareSubject subject{fmt::format("{}", fmt::join(plan.command, " ")),
                               machine(),
                               fmt::format("starpath {}", version),
                               date_text(std::time(nullptr)),
                               plan.repetitions,
                               plan.calibrations};
  const Comparison comparison = summarise(runs);
  if (page) {
    page->write(pages::page_of(comparison, subject, runs));
    page->commit();
  }
  if (arguments.json)
    write_json(json_of(comparison, subject));
  else
    print_out("{}", text_of(comparison, subject));
}

/// What is said to the pipeline may name files too: FILE or --option=FILE.
Paths files_named(const CompareArguments& arguments) {
  Paths files = {arguments.input};
  for (const std::string& argument : arguments.more) {
    std::error_code none;
    for (const std::string& name : {argument, argument.substr(argument.find('=') + 1)})
      if (std::filesystem::is_regular_file(name, none)) files.emplace_back(name);
  }
  return files;
}

/// Returns the exit code.
int run(const CompareArguments& arguments) {
  const ComparePlan plan = plan_of(arguments);
  check_is_no_input(arguments.html, files_named(arguments), "the page", "give --html another name");
  std::optional<AtomicFile> page;
  if (!arguments.html.empty()) page.emplace(arguments.html, kPage);  // whether it can be written is known before
  const std::atomic<bool>& stop = catch_stop_signals();
  const auto on_done = [&](const ComparedRun& run, unsigned done, unsigned all) {
    if (!arguments.quiet && !stop) tell_of(run, done <= plan.calibrations, done, all);
  };
  const std::vector<ComparedRun> runs = run_all(plan, on_done, stop);
  if (stop) {
    print_error("starpath: interrupted; there is no comparison\n");
    return kExitInterrupted;
  }
  report(arguments, plan, runs, page);
  const auto failed = std::ranges::count_if(runs, [](const ComparedRun& run) { return !run.failure.empty(); });
  if (failed == 0) return 0;
  print_error("starpath: {} of {} runs failed\n", failed, runs.size());
  return static_cast<int>(ErrorKind::runtime);
}

void add_options(CLI::App& command, CompareArguments& arguments) {
  command.add_option("PIPELINE", arguments.pipeline, "What is run: segment or nbia")
      ->required()
      ->check(CLI::IsMember({"segment", "nbia"}));
  command.add_option("INPUT", arguments.input, "As for `starpath segment` or `starpath nbia run`")->required();
  command.add_option(
      "--policy", arguments.policies,
      "Policies, separated by commas; default: Starpath's and eager, lws, dmda, dmdar, dmdas, heteroprio, "
      "modular-heft of StarPU's; heft is dmda");
  command.add_option("--repeat", arguments.repetitions, "Runs of each policy, in turns")
      ->check(number_between(1, 1000))
      ->capture_default_str();
  command
      .add_option("--calibrate", arguments.calibrations,
                  "Runs before, whose measured times every compared run begins with; 0: all begin knowing nothing")
      ->check(number_between(0, 1000))
      ->capture_default_str();
  command
      .add_option("--timeout", arguments.timeout,
                  "Seconds after which a run is stopped and counts as failed; default: a minute and ten times the "
                  "calibration")
      ->check(number_between(0.001, 1e7));
  command.add_option("--html", arguments.html, "Also write a page for browsers: tables, Gantt charts, who ran what");
  command.add_flag("--json", arguments.json, "Print JSON");
  command.add_flag("--quiet", arguments.quiet, "Do not tell of each run");
  command.add_option("OPTIONS", arguments.more, "Behind --: further options of the pipeline, the same for every run");
}

}  // namespace

void add_compare_command(CLI::App& app) {
  auto arguments = std::make_shared<CompareArguments>();
  CLI::App* command = app.add_subcommand("compare", "Run a pipeline on one input under several policies, side by side");
  for_one_process(*command);
  add_options(*command, *arguments);
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
