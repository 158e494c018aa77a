// `starpath nbia evaluate SOURCE`: how often a model is right on labelled fields.
#include <fmt/format.h>

#include <array>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/terminal.hpp"
#include "apps/nbia/commands.hpp"
#include "apps/nbia/options.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/slide_decoder.hpp"
#include "pipelines/nbia/evaluation.hpp"

namespace starpath::apps {
namespace {

constexpr std::array kLabels = {NbiaLabel::stroma_rich, NbiaLabel::stroma_poor, NbiaLabel::background};

struct EvaluateArguments {
  FieldSources from;
  ModelChoice model;
  bool json = false;
};

double share(std::int64_t part, std::int64_t whole) { return static_cast<double>(part) / static_cast<double>(whole); }

void print_json(NbiaEvaluation& evaluation) {
  const auto [tissue, tissue_right] = evaluation.tissue();
  nlohmann::json confusion, levels;
  for (const NbiaLabel truth : kLabels)
    for (const NbiaLabel said : kLabels)
      confusion[std::string(label_name(truth))][std::string(label_name(said))] = evaluation.fields[truth][said];
  for (const auto& [level, count] : evaluation.decided) levels[std::to_string(level)] = count;
  write_json(nlohmann::json{{"fields", evaluation.total},
                            {"accuracy", share(evaluation.right, evaluation.total)},
                            {"tissue_fields", tissue},
                            {"tissue_accuracy", share(tissue_right, tissue)},
                            {"confusion", confusion},
                            {"decided_at_level", levels},
                            {"low_confidence", evaluation.low_confidence},
                            {"out_of_range", evaluation.out_of_range},
                            {"trained_on", evaluation.trained_on},
                            {"notes", evaluation.lines}});
}

void print_text(NbiaEvaluation& evaluation) {
  print_out("{:>14} | {:>11} {:>11} {:>11} | right\n", "truth \\ said", "stroma_rich", "stroma_poor", "background");
  for (const NbiaLabel truth : kLabels) {
    auto& row = evaluation.fields[truth];
    const std::int64_t sum = row[kLabels[0]] + row[kLabels[1]] + row[kLabels[2]];
    if (sum == 0) continue;
    print_out("{:>14} | {:>11} {:>11} {:>11} | {:.1f} %\n", label_name(truth), row[kLabels[0]], row[kLabels[1]],
              row[kLabels[2]], 100 * share(row[truth], sum));
  }
  std::string levels;
  for (const auto& [level, count] : evaluation.decided) levels += fmt::format(", {} at {} px", count, level);
  const auto [tissue, tissue_right] = evaluation.tissue();
  const bool both = tissue > 0 && tissue < evaluation.total;
  if (both)
    print_out("{} of {} fields of tissue right ({:.1f} %)\n", tissue_right, tissue, 100 * share(tissue_right, tissue));
  print_out("{} of {} fields right{} ({:.1f} %); decided{}; {} of low confidence, {} out of range\n", evaluation.right,
            evaluation.total, both ? " with background" : "", 100 * share(evaluation.right, evaluation.total),
            levels.substr(1), evaluation.low_confidence, evaluation.out_of_range);
}

void run(const EvaluateArguments& arguments) {
  NbiaEvaluation evaluation = evaluate_nbia(load_model(arguments.model, arguments.from.sources[0]), arguments.from);
  if (evaluation.trained_on > 0)
    print_error(
        "starpath: warning: the model was trained on {} of the {} fields, so that it is right more often than on "
        "others; evaluate it on other images\n",
        evaluation.trained_on, evaluation.total);
  if (arguments.json) return print_json(evaluation);
  for (const std::string& line : evaluation.lines) print_out("{}\n", line);
  print_text(evaluation);
}

}  // namespace

void add_nbia_evaluate_command(CLI::App& nbia) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command =
      nbia.add_subcommand("evaluate", "Say how often a model is right on annotated slides or labelled tiles");
  for_one_process(*command);
  add_trusted(*command);
  add_field_sources(*command, arguments->from);
  add_model_options(*command, arguments->model);
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(R"help(Use other images than those the model was trained on.

Examples:
  starpath nbia evaluate other.svs --annotations other.geojson --model model.json
  starpath nbia evaluate tiles/ --model model.json
  starpath nbia evaluate synthetic:4096x4096,pattern=stroma,seed=99)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
