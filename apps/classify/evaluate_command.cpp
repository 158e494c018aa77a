// `starpath classify evaluate RESULTS...`: how often a model is right on annotated nuclei.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <set>

#include "apps/classify/annotation_files.hpp"
#include "apps/classify/commands.hpp"
#include "apps/classify/confusion_report.hpp"
#include "apps/classify/feature_columns.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"

namespace starpath::apps {
namespace {

struct EvaluateArguments {
  std::vector<std::string> results;
  AnnotationArguments annotations;
  std::string model;
  bool json = false;
};

/// Annotated nuclei as the kernel takes them, and their classes.
class Judged {
 public:
  explicit Judged(const NucleusModel& model)
      : model_(model), confusion_(model.classes.size()), samples_(model.sample_rows()) {}

  void add(const std::string& name, std::span<const double> values) {
    const auto known = std::ranges::find(model_.classes, name, &NucleusClass::name);
    if (known == model_.classes.end()) {
      ++unknown_[name];
      return;
    }
    const auto width = static_cast<std::size_t>(model_.row_numbers());
    rows_.resize(rows_.size() + width);
    model_.put_row(values, std::span(rows_).last(width));
    truth_.push_back(static_cast<std::size_t>(known - model_.classes.begin()));
  }

  void vote() {
    Scratch scratch;
    std::vector<ClassVote> votes(truth_.size());
    const int width = model_.row_numbers();
    const auto view = [&](const std::vector<std::int16_t>& rows, std::size_t count) {
      return View<const std::int16_t>{rows.data(), width, static_cast<int>(count), width};
    };
    cpu::nearest_classes(KernelContext{scratch}, view(rows_, truth_.size()), view(samples_, model_.samples()),
                         model_.labels, votes, model_.k);
    for (std::size_t i = 0; i < votes.size(); ++i) {
      confusion_.add(truth_[i], votes[i].label);
      out_of_range_ += model_.out_of_range(votes[i]);
    }
  }

  const Confusion& confusion() const { return confusion_; }
  std::int64_t out_of_range() const { return out_of_range_; }
  const std::map<std::string, std::int64_t>& unknown() const { return unknown_; }  // nuclei of other classes

 private:
  const NucleusModel& model_;
  Confusion confusion_;
  const std::vector<std::int16_t> samples_;
  std::vector<std::int16_t> rows_;
  std::vector<std::size_t> truth_;
  std::int64_t out_of_range_ = 0;
  std::map<std::string, std::int64_t> unknown_;
};

/// Names of the annotated slides that the model was trained on.
std::vector<std::string> known_slides(const NucleusModel& model, const std::vector<ClassifiedSlide>& slides,
                                      const std::vector<SlideAnnotations>& annotations) {
  std::vector<std::string> known;
  std::set<std::string> fingerprints;
  for (const TrainedSlide& slide : model.slides) fingerprints.insert(slide.fingerprint);
  for (const SlideAnnotations& each : annotations)
    if (fingerprints.contains(slides[each.slide].fingerprint)) known.push_back(slides[each.slide].slide);
  return known;
}

void run(const EvaluateArguments& arguments) {
  const NucleusModel model = read_nucleus_model(arguments.model);
  std::vector<std::string> warnings;
  std::vector<ClassifiedSlide> slides;
  for (const std::string& path : arguments.results)
    for (ClassifiedSlide& slide : slides_at(path, warnings)) slides.push_back(std::move(slide));
  const auto annotations = match_annotations(slides, arguments.annotations.files, warnings);
  for (const SlideAnnotations& each : annotations) {
    const std::string results = slides[each.slide].results.string();
    check_resolution(io::ResultStore::open(results).info(), results, model.mpp);
  }
  std::vector<std::string> columns;
  for (const ModelFeature& feature : model.features) columns.push_back(feature.name);
  Judged judged(model);
  std::map<std::string, std::uint32_t> colours;
  const auto lines = visit_annotated(
      slides, annotations, arguments.annotations.within, columns,
      [&](std::size_t, const std::string& name, std::span<const double> values) { judged.add(name, values); }, colours);
  judged.vote();
  const Confusion& confusion = judged.confusion();
  for (const auto& [name, nuclei] : judged.unknown())
    warnings.push_back(fmt::format("{} nuclei of class '{}' are left out: the model does not know it", nuclei, name));
  if (confusion.total() == 0)
    throw Error(ErrorKind::input, fmt::format("{}: no nucleus is annotated with a class of the model",
                                              fmt::join(arguments.annotations.files, ", ")));
  const std::vector<std::string> known = known_slides(model, slides, annotations);
  if (!known.empty())
    warnings.push_back(
        fmt::format("the model was trained on {}: these figures say nothing of slides that it has not "
                    "seen",
                    fmt::join(known, ", ")));
  for (const std::string& warning : warnings) print_error("starpath: warning: {}\n", warning);
  if (arguments.json) {
    nlohmann::json line = confusion_json(model.classes, confusion);
    line["out_of_range"] = judged.out_of_range();
    line["trained_on"] = known;
    line["annotations"] = lines;
    line["warnings"] = warnings;
    return write_json(line);
  }
  for (const std::string& line : lines) print_out("{}\n", line);
  print_confusion(model.classes, confusion);
  print_out("out of range: {} of {}\n", judged.out_of_range(), confusion.total());
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
