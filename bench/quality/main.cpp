// `bench_quality`: how well the segmentation agrees with labels, in Dice, AJI, F1 and PQ.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <regex>
#include <set>

#include "base/error.hpp"
#include "base/text_file.hpp"
#include "bench/quality/judge.hpp"
#include "bench/quality/page.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/segmentation/asked_parameters.hpp"

namespace starpath::quality {
namespace {

constexpr std::size_t kShown = 10;  // images on the page

struct Arguments {
  std::vector<std::string> folders;
  std::string names, names_from, csv, html, python = "python3";
  std::vector<double> mpp, areas;
  std::vector<std::string> synthetic;
  bool no_baseline = false;
  Corrections corrections;
  AskedParameters parameters;
  int cpus = -1;
};

using Wanted = std::function<bool(const std::string&)>;

Wanted wanted_names(const Arguments& arguments) {
  std::set<std::string> listed;
  if (!arguments.names_from.empty()) {
    std::ifstream file(arguments.names_from);
    if (!file) throw Error(ErrorKind::input, arguments.names_from + ": cannot be read; --names-from takes a text file");
    for (std::string name; file >> name;) listed.insert(std::filesystem::path(name).stem().string());
  }
  const std::regex pattern(arguments.names);
  return [=, any = arguments.names_from.empty()](const std::string& name) {
    return (any || listed.contains(name)) && std::regex_search(name, pattern);
  };
}

std::string setting_text(const std::string& data, Resolution resolution) {
  if (resolution.area > 0) return fmt::format("{}, median nucleus {} px", data, resolution.area);
  return resolution.mpp > 0 ? fmt::format("{} as {} um/px", data, resolution.mpp) : data;
}

/// Judges subjects that are opened one after the other, and keeps what the page wants.
class Judgement {
 public:
  explicit Judgement(const Arguments& arguments)
      : arguments_(arguments), parameters_(parameters_of(arguments.parameters)) {}

  using Opener = std::function<Subject()>;
  void judge(const std::string& setting, Resolution resolution, const std::vector<Opener>& subjects) {
    Baseline baseline;
    run_baseline(baseline, resolution, subjects);
    Scores scores{setting, {}};
    for (std::size_t i = 0; i < subjects.size(); ++i) {
      const Subject subject = subjects[i]();
      const Case one = judged(subject, resolution, baseline, i);
      Score score{subject.name, compare_labels(one.truth.view(), one.ours.view()), std::nullopt};
      if (one.baseline) score.baseline = compare_labels(one.truth.view(), one.baseline->view());
      scores.images.push_back(std::move(score));
    }
    fmt::print("{}", table_of(scores));
    std::fflush(stdout);
    if (!arguments_.html.empty()) show_worst(scores, resolution, baseline, subjects);
    scores_.push_back(std::move(scores));
  }

  void write() const {
    if (!arguments_.html.empty()) write_text(arguments_.html, quality_page(scores_, cases_));
    if (arguments_.csv.empty()) return;
    std::string text = csv_header();
    for (const Scores& scores : scores_) text += csv_of(scores);
    write_text(arguments_.csv, text);
  }

 private:
  void run_baseline(Baseline& baseline, Resolution resolution, const std::vector<Opener>& subjects) {
    if (!baseline_) return;
    for (std::size_t i = 0; i < subjects.size(); ++i)
      baseline.add(std::to_string(i), prepare(subjects[i](), resolution).rgb.view());
    const std::string failure = baseline.run(arguments_.python);
    if (failure.empty()) return;
    fmt::print(stderr, "bench_quality: {}\n", failure);
    baseline_ = false;
  }

  Case judged(const Subject& subject, Resolution resolution, const Baseline& baseline, std::size_t number) const {
    Case one = segment(subject, resolution, parameters_);
    if (baseline_) one.baseline = baseline.labels(std::to_string(number));
    correct(one, arguments_.corrections);
    return one;
  }

  void show_worst(const Scores& scores, Resolution resolution, const Baseline& baseline,
                  const std::vector<Opener>& subjects) {
    auto& cases = cases_.emplace_back();
    for (const std::size_t i : worst_images(scores, kShown))
      cases.push_back(page_case(scores.images[i], judged(subjects[i](), resolution, baseline, i)));
  }

  const Arguments& arguments_;
  const SegmentationParameters parameters_;
  bool baseline_ = !arguments_.no_baseline;
  std::vector<Scores> scores_;
  std::vector<std::vector<nlohmann::json>> cases_;
};

void judge_folder(Judgement& judgement, const Arguments& arguments, const std::filesystem::path& folder) {
  const auto images = find_labelled_images(folder, wanted_names(arguments), [](const std::string& note) {
    fmt::print(stderr, "bench_quality: {}\n", note);
  });
  if (arguments.corrections.vague &&
      std::ranges::none_of(images, [](const LabelledImage& image) { return !image.vague.empty(); }))
    throw Error(ErrorKind::input, folder.string() + ": --vague needs masks in vague/, of the names of the images");
  std::vector<Judgement::Opener> subjects;
  for (const LabelledImage& image : images) subjects.emplace_back([&image] { return open_subject(image); });
  const std::string name = (folder / "").parent_path().filename().string();
  for (const double mpp : arguments.mpp) judgement.judge(setting_text(name, {mpp, 0}), {mpp, 0}, subjects);
  for (const double area : arguments.areas) judgement.judge(setting_text(name, {0, area}), {0, area}, subjects);
}

std::string default_folder() {
  const char* data = std::getenv("STARPATH_DATA");
  return std::filesystem::path(data == nullptr ? "../shared/data" : data) / "nuclei_dsb2018";
}

void run(Arguments& arguments) {
  if (arguments.mpp.empty() && arguments.areas.empty()) arguments.areas = {80};
  if (arguments.folders.empty() && arguments.synthetic.empty()) arguments.folders = {default_folder()};
  Judgement judgement(arguments);
  const StarpuSession session({.policy = "eager", .cpus = arguments.cpus, .gpus = 0});
  fmt::print("{}", table_header());
  for (const std::string& folder : arguments.folders) judge_folder(judgement, arguments, folder);
  for (const std::string& text : arguments.synthetic) judgement.judge(text, {}, {[&] { return open_synthetic(text); }});
  judgement.write();
}

void add_options(CLI::App& app, Arguments& arguments) {
  app.add_option("--labelled", arguments.folders,
                 "Folders of images with labels; default: nuclei_dsb2018 in $STARPATH_DATA, else in ../shared/data");
  app.add_option("--names", arguments.names, "Only images in whose names this regular expression is found: '^[0-7]'");
  app.add_option("--names-from", arguments.names_from, "Only images whose names stand in this file");
  app.add_option("--mpp", arguments.mpp, "Resolutions to take the images at, um a pixel; 0: as each of them says")
      ->delimiter(',');
  app.add_option("--nucleus-area", arguments.areas,
                 "Take each image at the resolution that gives its median labelled nucleus this area in pixels of 0.5 "
                 "um; 80 without --mpp")
      ->delimiter(',');
  app.add_option("--synthetic", arguments.synthetic, "Synthetic slides (synthetic:WxH,...), which know their truth")
      ->delimiter(';');
  app.add_option("--preset", arguments.parameters.preset, "Parameters to begin with: default, or paper");
  app.add_option("--parameters", arguments.parameters.file, "Parameters from a TOML file: lines like G1 = 60");
  app.add_option("--set", arguments.parameters.said, "Parameters: NAME=VALUE,...")->delimiter(',');
  app.add_option("--detector", arguments.parameters.detector, "What finds the nuclei: learned (the default), or levels")
      ->check(CLI::IsMember({"levels", "learned"}));
  app.add_option("--detector-weights", arguments.parameters.weights, "Other weights of the learned detector");
  app.add_flag(
      "--vague", arguments.corrections.vague,
      "Leave vague regions out (FOLDER/vague, see below), and objects with more than a quarter in them: NucEval");
  app.add_option(
         "--rim", arguments.corrections.rim,
         "Leave so many pixels of 0.5 um on both sides of each labelled border out: NucEval's border uncertainty")
      ->check(CLI::Range(0, 16));
  app.add_option("--network", arguments.parameters.network,
                 "An ONNX file with its description, which finds the nuclei in place of a detector");
  app.add_option("--csv", arguments.csv, "Write one row an image and segmenter");
  app.add_option("--html", arguments.html, "Write a page with the ten worst images of each setting");
  app.add_flag("--no-baseline", arguments.no_baseline, "Leave out ten lines of scikit-image");
  app.add_option("--python", arguments.python, "A Python that has scikit-image")->capture_default_str();
  app.add_option("--cpus", arguments.cpus, "CPU workers; default: one a core");
}

}  // namespace
}  // namespace starpath::quality

int main(int argc, char** argv) {
  using namespace starpath;
  CLI::App app{"How well the segmentation, as `starpath segment` does it, agrees with labels: Dice, AJI, F1 and PQ"};
  quality::Arguments arguments;
  app.footer(std::string("Labels:\n") + quality::kLabelRule);
  quality::add_options(app, arguments);
  CLI11_PARSE(app, argc, argv);
  try {
    quality::run(arguments);
  } catch (const Error& error) {
    fmt::print(stderr, "bench_quality: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    fmt::print(stderr, "bench_quality: {}\n", error.what());
    return 1;
  }
  return 0;
}
