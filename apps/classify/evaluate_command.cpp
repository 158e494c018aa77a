// `starpath classify evaluate RESULTS...`: how often a model is right on annotated nuclei.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/classify/annotation_options.hpp"
#include "apps/classify/commands.hpp"
#include "apps/cli/terminal.hpp"
#include "base/error.hpp"
#include "pipelines/classification/confusion_report.hpp"
#include "pipelines/classification/evaluate.hpp"

namespace starpath::apps {
namespace {

struct EvaluateArguments {
  std::vector<std::string> results;
  AnnotationArguments annotations;
  std::string model;
  bool json = false;
};

void run(const EvaluateArguments& arguments) {
  const NucleusModel model = read_nucleus_model(arguments.model);
  std::vector<std::string> warnings;
  std::vector<ClassifiedSlide> slides;
  for (const std::string& path : arguments.results)
    for (ClassifiedSlide& slide : slides_to_classify(path, warnings)) slides.push_back(std::move(slide));
  const auto annotations = match_annotations(slides, arguments.annotations.files, warnings);
  const Evaluation found = evaluate_model(model, slides, annotations, arguments.annotations.within);
  for (const auto& [name, nuclei] : found.unknown)
    warnings.push_back(fmt::format("{} nuclei of class '{}' are left out: the model does not know it", nuclei, name));
  if (found.confusion.total() == 0)
    throw Error(ErrorKind::input, fmt::format("{}: no nucleus is annotated with a class of the model",
                                              fmt::join(arguments.annotations.files, ", ")));
  if (!found.trained_on.empty())
    warnings.push_back(
        fmt::format("the model was trained on {}: these figures say nothing of slides that it has not "
                    "seen",
                    fmt::join(found.trained_on, ", ")));
  for (const std::string& warning : warnings) print_error("starpath: warning: {}\n", warning);
  if (arguments.json) {
    nlohmann::json line = confusion_json(model.classes, found.confusion);
    line["out_of_range"] = found.out_of_range;
    line["trained_on"] = found.trained_on;
    line["annotations"] = found.lines;
    line["warnings"] = warnings;
    return write_json(line);
  }
  for (const std::string& line : found.lines) print_out("{}\n", line);
  write_out(confusion_text(model.classes, found.confusion));
  print_out("out of range: {} of {}\n", found.out_of_range, found.confusion.total());
}

}  // namespace

void add_classify_evaluate_command(CLI::App& classify) {
  auto arguments = std::make_shared<EvaluateArguments>();
  CLI::App* command = classify.add_subcommand("evaluate", "Say how often a model is right on annotated nuclei");
  command->add_option("RESULTS", arguments->results, "Results of `starpath segment`, or studies, of annotated slides")
      ->required();
  add_annotation_options(*command, arguments->annotations);
  command->add_option("--model", arguments->model, "Model made by `starpath classify train`")->required();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(R"help(Annotate other slides than those the model was trained on; a warning names those that it was.

Example:
  starpath classify evaluate other_study --annotations checked/ --model model.json)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
