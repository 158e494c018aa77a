// `starpath classify train RESULTS...`: from annotated nuclei to a model.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/classify/annotation_options.hpp"
#include "apps/classify/commands.hpp"
#include "apps/cli/terminal.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_file.hpp"
#include "base/words.hpp"
#include "pipelines/classification/confusion_report.hpp"
#include "pipelines/classification/training_set.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr OutputKind kModel = {"starpath classify train", is_nucleus_model};

struct TrainArguments {
  std::vector<std::string> results;
  AnnotationArguments annotations;
  std::vector<std::string> features = {"basic"};
  std::string out = "nuclei-model.json";
  bool overwrite = false, json = false;
};

/// What is told of annotations and slides.
struct Told {
  std::vector<std::string> lines, warnings;
};

std::vector<ClassifiedSlide> all_slides(const TrainArguments& arguments, Told& told) {
  std::vector<ClassifiedSlide> slides;
  for (const std::string& path : arguments.results)
    for (ClassifiedSlide& slide : slides_to_classify(path, told.warnings)) slides.push_back(std::move(slide));
  return slides;
}

std::string held_out_text(const TrainedNucleusModel& trained) {
  const std::string& by = trained.model.validated_by;
  return by == "nucleus" ? fmt::format("single nuclei held out, {} folds: says little of other slides", trained.folds)
                         : fmt::format("whole {}s held out, {} folds", by, trained.folds);
}

void print_text(const TrainArguments& arguments, const TrainedNucleusModel& trained, const Told& told) {
  const NucleusModel& model = trained.model;
  for (const std::string& line : told.lines) print_out("{}\n", line);
  std::vector<std::int64_t> counts(model.classes.size());
  for (const std::uint8_t label : model.labels) ++counts[label];
  std::vector<std::string> classes;
  for (std::size_t c = 0; c < counts.size(); ++c)
    classes.push_back(fmt::format("{} {} ({:.1f} %)", counts[c], model.classes[c].name,
                                  100 * static_cast<double>(counts[c]) / static_cast<double>(model.samples())));
  print_out("{}: {} nuclei of {}: {}\n", arguments.out, model.samples(),
            plural(static_cast<std::int64_t>(model.slides.size()), "slide"), fmt::join(classes, ", "));
  print_out("{}, k = {}; out of range beyond {:.2f} deviations\n",
            plural(static_cast<std::int64_t>(model.features.size()), "feature"), model.k,
            std::sqrt(static_cast<double>(*model.range)) / kPointUnit);
  print_out("cross-validation ({}):\n", held_out_text(trained));
  write_out(confusion_text(model.classes, model.validation));
}

void print_json(const TrainArguments& arguments, const TrainedNucleusModel& trained, const Told& told) {
  const NucleusModel& model = trained.model;
  nlohmann::json line = confusion_json(model.classes, model.validation);
  line["model"] = arguments.out;
  line["k"] = model.k;
  line["held_out"] = model.validated_by;
  line["folds"] = trained.folds;
  for (const ModelFeature& feature : model.features) line["features"].push_back(feature.name);
  for (const TrainedSlide& slide : model.slides)
    line["slides"].push_back({{"name", slide.name}, {"nuclei", slide.nuclei}});
  line["annotations"] = told.lines;
  line["warnings"] = told.warnings;
  write_json(line);
}

void run(const TrainArguments& arguments) {
  std::error_code ignored;  // AtomicFile says why nothing can be there
  if (fs::exists(arguments.out, ignored) && !arguments.overwrite)
    throw Error(ErrorKind::output,
                fmt::format("{} exists already: replace it with --overwrite, or choose another --out", arguments.out));
  Paths inputs(arguments.annotations.files.begin(), arguments.annotations.files.end());
  for (const std::string& results : arguments.results) {
    inputs.emplace_back(results);
    for (fs::path& database : databases_of(results)) inputs.push_back(std::move(database));
  }
  check_is_no_input(arguments.out, inputs, "the model");
  AtomicFile file(arguments.out, kModel);  // whether it can be written is known before the work
  Told told;
  const std::vector<ClassifiedSlide> slides = all_slides(arguments, told);
  const auto annotations = match_annotations(slides, arguments.annotations.files, told.warnings);
  AnnotatedSet annotated = annotated_set(slides, annotations, arguments.annotations.within, arguments.features);
  told.lines = std::move(annotated.lines);
  told.warnings.insert(told.warnings.end(), annotated.warnings.begin(), annotated.warnings.end());
  const TrainedNucleusModel trained = train_nuclei(std::move(annotated.set));
  told.warnings.insert(told.warnings.end(), trained.warnings.begin(), trained.warnings.end());
  file.write(model_text(trained.model));
  file.commit();
  for (const std::string& warning : told.warnings) print_error("starpath: warning: {}\n", warning);
  if (arguments.json) return print_json(arguments, trained, told);
  print_text(arguments, trained, told);
}

}  // namespace

void add_classify_train_command(CLI::App& classify) {
  auto arguments = std::make_shared<TrainArguments>();
  CLI::App* command = classify.add_subcommand("train", "Make a model from nuclei annotated in QuPath");
  command->add_option("RESULTS", arguments->results, "Results of `starpath segment`, or studies, of annotated slides")
      ->required();
  add_annotation_options(*command, arguments->annotations);
  command
      ->add_option(
          "--features", arguments->features,
          "Features that nuclei are compared by: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--out", arguments->out, "The model's file")->capture_default_str();
  command->add_flag("--overwrite", arguments->overwrite, "Replace the file");
  command->add_flag("--json", arguments->json, "Print JSON");
  command->footer(
      R"help(In QuPath: draw points on nuclei, or areas around nuclei of one class, set their class, and export them (File, Export
objects as GeoJSON), one file a slide with the name of the folder of its results or of the slide's file.
A point is of the nucleus that holds it, else of the nearest one within --within; an area gives its class to all nuclei whose
centre lies in it. A nucleus of two classes is left out. Classes whose name ends in '*' are left out, as in QuPath.

The number of neighbours is chosen by cross-validation. With annotations of several patients (or slides, where the study has
no patients) whole patients are held out; what is printed then holds for patients that the model has not seen. The same annotations give the same file.

Examples:
  starpath classify train study --annotations drawn/ --out model.json      # drawn/a.geojson, drawn/b.geojson ...
  starpath classify train results --annotations points.geojson --out model.json
  starpath classify train a/ b/ --annotations a.geojson b.geojson --features nucleus_area,nucleus_eccentricity)help");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
