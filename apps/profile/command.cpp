// `starpath profile run|import|list|show|prune`: the file of samples that the kNN estimator estimates from.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "base/error.hpp"
#include "estimator/queries/codelet_groups.hpp"
#include "estimator/queries/sample_file.hpp"
#include "runs/profile/measured_program.hpp"

namespace starpath::apps {
namespace {

using Json = nlohmann::ordered_json;

struct Arguments {
  std::string profile;
  std::string name;  // of a codelet or a file
  std::size_t keep = 0;
  bool json = false;
};

void list(const Arguments& arguments) {
  const auto all = open_profile(arguments.profile, ProfileStore::Open::existing).list();
  if (arguments.json) {
    Json out = Json::array();
    for (const auto& [group, samples] : all) {
      out.push_back({{"codelet", group.codelet},
                     {"class", group.device_class},
                     {"samples", samples},
                     {"measured", group.offered},
                     {"numeric", group.numeric_names},
                     {"categorical", group.categorical_names}});
    }
    return write_json(out, 2);
  }
  print_out("{:<28} {:<28} {:>8} {:>10}\n", "codelet", "class", "samples", "measured");
  for (const auto& [group, samples] : all)
    print_out("{:<28} {:<28} {:>8} {:>10}\n", group.codelet, group.device_class, samples, group.offered);
}

Json as_json(const ProfileGroup& group, const SampleSet::Entry& sample) {
  Json numeric = Json::object();
  Json categorical = Json::object();
  for (std::size_t i = 0; i < sample.features.numeric_count; ++i)
    numeric[numeric_name(group, i)] = sample.features.numeric[i];
  for (std::size_t i = 0; i < sample.features.categorical_count; ++i)
    categorical[categorical_name(group, i)] = sample.features.categorical[i];
  return {{"codelet", group.codelet},
          {"class", group.device_class},
          {"seconds", sample.seconds},
          {"numeric", numeric},
          {"categorical", categorical}};
}

void show(const Arguments& arguments) {
  const auto groups = load_codelet(arguments.profile, arguments.name);
  Json out = Json::array();
  for (const ProfileGroup& group : groups) {
    if (!arguments.json) print_out("{} on {}: {} samples\n", group.codelet, group.device_class, group.samples.size());
    for (const SampleSet::Entry& sample : group.samples) {
      const Json row = as_json(group, sample);
      if (arguments.json) {
        out.push_back(row);
        continue;
      }
      print_out("  {:>12.6g} s", sample.seconds);
      for (const char* kind : {"numeric", "categorical"})
        for (const auto& [name, value] : row[kind].items()) print_out("  {}={}", name, value.dump());
      print_out("\n");
    }
  }
  if (arguments.json) write_json(out, 2);
}

void import(const Arguments& arguments) {
  const std::size_t samples = import_samples(arguments.name, arguments.profile);
  if (arguments.json) return write_json(Json{{"imported", samples}, {"profile", arguments.profile}}, 2);
  print_out("{} samples imported into {}\n", samples, arguments.profile);
}

void prune(const Arguments& arguments) {
  const std::size_t gone = open_profile(arguments.profile, ProfileStore::Open::existing).prune(arguments.keep);
  if (arguments.json) return write_json(Json{{"removed", gone}, {"profile", arguments.profile}}, 2);
  print_out("{} samples removed from {}\n", gone, arguments.profile);
}

struct Subcommand {
  CLI::App* command;
  std::shared_ptr<Arguments> arguments;
};

/// Each subcommand has arguments of its own, because CLI11 takes STARPATH_PROFILE for all of them.
Subcommand add(CLI::App& parent, const char* name, const char* description, void (*run)(const Arguments&)) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command = parent.add_subcommand(name, description);
  command->add_option("--profile", arguments->profile, "The file of samples; default: this machine's own")
      ->envname("STARPATH_PROFILE");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments, run] {
    arguments->profile = profile_of_command(arguments->profile, run == import);
    run(*arguments);
  });
  return {command, arguments};
}

struct RunArguments {
  MeasuredProgram program;
  bool json = false;
};

/// Returns the exit code.
int run(const RunArguments& arguments) {
  const auto& [profile, policy, command] = arguments.program;
  const auto [tasks, exit_code] = measure_program(arguments.program);
  if (arguments.json)
    print_error("{}\n", Json{{"measured", tasks}, {"profile", profile}}.dump());
  else
    print_error("starpath: {} tasks measured into {}\n", tasks, profile);
  if (exit_code == 0 && tasks == 0)
    throw Error(
        ErrorKind::runtime,
        fmt::format("'{}' ran, but no task was measured: it must use StarPU >= 1.4, choose no policy of its own "
                    "and end with starpu_shutdown",
                    command[0]));
  return exit_code;
}

void add_run(CLI::App& parent) {
  auto arguments = std::make_shared<RunArguments>();
  CLI::App* command = parent.add_subcommand(
      "run", "Run a StarPU program and keep the times of its tasks. Runs add up: repeat it with typical inputs");
  command->footer(
      "Example:\n  starpath profile run --profile my.profile -- ./app --size 4096\n\n"
      "The program runs under STARPU_SCHED=fcfs unless --policy says otherwise: with it every kind of device\n"
      "gets every kind of task, which a policy that places tasks well would prevent. The exit code is the\n"
      "program's; 7 when it ran but nothing was measured.");
  command
      ->add_option("--profile", arguments->program.profile,
                   "The file of samples, made if it is not there; default: this machine's own")
      ->envname("STARPATH_PROFILE");
  command->add_option("--policy", arguments->program.policy, "A policy of Starpath, which measure as they schedule")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print what was measured as JSON, to standard error");
  command->add_option("COMMAND", arguments->program.command, "The program and its arguments, after --")->required();
  command->callback([arguments] {
    arguments->program.profile = profile_of_command(arguments->program.profile, true);
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace

void add_profile_command(CLI::App& app) {
  CLI::App* profile = app.add_subcommand("profile", "Measure tasks, and look after the file of samples");
  profile->require_subcommand(1);
  profile->footer(
      "A profile is one SQLite file of samples: codelet, parameters, kind of device, seconds. The policies\n"
      "start from it (STARPATH_PROFILE=FILE) and add to it; `starpath estimate` asks it. At most 1,024\n"
      "samples are kept of a codelet on a kind of device, an even choice of all that were measured.");
  add_run(*profile);
  const Subcommand importing = add(*profile, "import", "Add samples from a CSV or JSON file", import);
  importing.command
      ->footer(
          "CSV: a header of codelet,class,seconds and one column a numeric parameter; a category's column is named\n"
          "category:NAME and holds integers; a cell may be empty. JSON: what `show --json` prints.")
      ->add_option("FILE", importing.arguments->name, "A .csv or .json file, or - for standard input")
      ->required();
  add(*profile, "list", "List the codelets and kinds of devices with their numbers of samples", list);
  const Subcommand showing = add(*profile, "show", "Print the samples of one codelet", show);
  showing.command->add_option("CODELET", showing.arguments->name, "Its name, as `list` prints it")->required();
  const Subcommand pruning = add(
      *profile, "prune", "Forget samples: keep so many, chosen at random, of each codelet and kind of device", prune);
  pruning.command->add_option("--keep", pruning.arguments->keep, "How many to keep")
      ->check(number_between(1, 1'000'000'000))
      ->required();
}

}  // namespace starpath::apps
