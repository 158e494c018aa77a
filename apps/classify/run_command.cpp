// `starpath classify run RESULTS`: a class for every nucleus.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <span>

#include "apps/classify/commands.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/export/export_options.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/run_options.hpp"
#include "base/error.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "io/results/field_labels.hpp"
#include "io/results/group_store.hpp"
#include "io/results/result_store.hpp"
#include "io/study/slide_counts.hpp"
#include "runs/classification/classify_results.hpp"

namespace starpath::apps {
namespace {

struct ClassifyCommand {
  RunRequest run;  // input: results or a study; session, exports, json, quiet
  std::string model;
};

double percent(std::int64_t part, std::int64_t whole) {
  return whole == 0 ? 0 : 100 * static_cast<double>(part) / static_cast<double>(whole);
}

/// "61 Tumor (61.0 %), 30 Stroma (30.0 %), 9 out of range (9.0 %)" of a slide, or of one of its regions.
std::string shares(const io::StudyClasses& classes, std::int64_t slide, std::int64_t region) {
  const std::span<const io::ClassCount> counts = io::counts_of(classes.counts, slide, region);
  std::int64_t all = 0, outside = 0;
  for (const io::ClassCount& each : counts) {
    all += each.nuclei;
    outside += each.out_of_range;
  }
  std::string text;
  const auto add = [&](std::int64_t nuclei, std::string_view what) {
    if (nuclei == 0) return;
    text += fmt::format("{}{} {} ({:.1f} %)", text.empty() ? "" : ", ", grouped(nuclei), what, percent(nuclei, all));
  };
  for (const io::ClassCount& each : counts)
    add(each.nuclei - each.out_of_range, classes.classes[static_cast<std::size_t>(each.number) - 1].name);
  add(outside, "out of range");
  return text.empty() ? "no nuclei" : text;
}

void print_text(const std::vector<ClassifiedSlide>& slides, const io::StudyClasses& classes,
                const std::vector<std::string>& files) {
  for (const std::string& file : files) print_out("{}\n", file);
  std::int64_t all = 0, outside = 0;
  for (const io::StudyClass& each : classes.classes) {
    all += each.nuclei;
    outside += each.out_of_range;
  }
  for (const ClassifiedSlide& slide : slides) {
    print_out("{}: {}\n", slide.folder, shares(classes, slide.number, 0));
    const auto regions = io::GroupStore(io::ResultStore::open(slide.results.string())).regions();
    for (std::size_t i = 0; i < regions.size(); ++i)
      print_out("  {}: {}\n", regions[i].name, shares(classes, slide.number, static_cast<std::int64_t>(i) + 1));
  }
  const auto row = [&](std::string_view name, std::int64_t nuclei) {
    print_out("{:<16} {:>12} nuclei  {:>5.1f} %\n", name, grouped(nuclei), percent(nuclei, all));
  };
  for (const io::StudyClass& each : classes.classes) row(each.name, each.nuclei - each.out_of_range);
  row(io::kOutOfRange.title, outside);
  print_out("{} nuclei of {}\n", grouped(all), plural(std::ssize(slides), "slide"));
}

void print_json(const std::vector<ClassifiedSlide>& slides, const ClassifiedNuclei& found,
                const std::vector<std::string>& warnings, const std::vector<std::string>& files) {
  nlohmann::json line = nlohmann::json::parse(found.classes.about);
  line["event"] = "summary";
  line["files"] = files;
  line["warnings"] = warnings;
  for (const io::StudyClass& each : found.classes.classes)
    line["classes"].push_back({{"class", each.name}, {"nuclei", each.nuclei}, {"out_of_range", each.out_of_range}});
  for (const ClassifiedSlide& slide : slides)
    for (const io::ClassCount& each : io::counts_of(found.classes.counts, slide.number))
      line["slides"][slide.folder].push_back(
          {{"region", each.region},
           {"class", found.classes.classes[static_cast<std::size_t>(each.number) - 1].name},
           {"nuclei", each.nuclei},
           {"out_of_range", each.out_of_range}});
  write_json(line);
}

int run(const ClassifyCommand& command) {
  ProgressReport report(choose_style(command.run.json, command.run.quiet), "nuclei");
  const auto [slides, found, warnings, exports] =
      classify_results(command.run, command.model, report, catch_stop_signals());
  if (!found) {
    report.close();
    print_error("starpath: stopped; slides that were finished have their classes, run again for the others\n");
    return kExitInterrupted;
  }
  const std::vector<std::string> files(exports.written.begin(), exports.written.end());
  for (const std::string& warning : warnings) print_error("starpath: warning: {}\n", warning);
  if (command.run.json) print_json(slides, *found, warnings, files);
  if (!command.run.json && !command.run.quiet) print_text(slides, found->classes, files);
  if (exports.stopped.empty()) return 0;
  return tell_stopped_group_exports(exports.stopped, command.run.exports, command.run.input, "classes");
}

}  // namespace

void add_classify_run_command(CLI::App& classify) {
  auto arguments = std::make_shared<ClassifyCommand>();
  CLI::App* command = classify.add_subcommand("run", "Give every nucleus of results or of a study a class");
  command->add_option("RESULTS", arguments->run.input, "Results of `starpath segment`, or a study")->required();
  command->add_option("--model", arguments->model, "Model made by `starpath classify train`")->required();
  add_group_exports(*command, arguments->run.exports, "classes");
  add_scheduling(*command, arguments->run);
  add_progress(*command, arguments->run);
  command->footer(
      R"help(Written into results.sqlite of each slide, in one transaction, in place of classes before; and into study.sqlite, counts a
slide and region. nuclei.geojson shows classes in their colours: drag it onto the slide in QuPath. Nuclei that are unlike all
annotated ones are 'Out of range' there and in tables. After a kill, run it again. The same on any device and for any policy.

Examples:
  starpath classify run study --model model.json
  starpath classify run results --model model.json --export geojson.gz,parquet)help");
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
