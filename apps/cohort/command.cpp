// `starpath cohort STUDY`: the slides of a study summed up by patient, and patients set side by side.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cohort/cohort.hpp"
#include "apps/commands.hpp"
#include "apps/one_process.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/words.hpp"
#include "apps/study/done_slides.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "io/results/output_lock.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    R"(STUDY is the folder of a run over many slides (study.sqlite, docs/study.md). Slides with the same `patient` in the list
are one patient; a slide without one is a patient of its own. What is written, into study.sqlite and beside it:

  slides.csv, regions.csv, patients.csv   density, mean and quartiles of features, shares of clusters and classes
  heatmap.svg                             patients and their values, in the order of a tree of likeness

The tree is cut into k branches. Branches are set beside the groups that the list gives the patients; whether the two go
together is tested by permutation, and not told where there are too few patients to say. docs/cohort.md says how.

Examples:
  starpath cohort study                                  # as many branches as the silhouette says
  starpath cohort study --k 3 --linkage average
  starpath cohort study --group stage                    # another column of the list
  starpath cohort study --values nuclei_per_mm2,nucleus_area_median,cluster_1_share
  starpath cohort study --values class_Tumor_share,class_Lymphocyte_share  # after `starpath classify run`)";

struct CohortCommand {
  CohortArguments cohort;
  std::string k = "auto";
  bool json = false, quiet = false;
};

std::size_t branches_of(const std::string& text) {
  if (text == "auto") return 0;
  const bool number = !text.empty() && text.size() <= 4 && text.find_first_not_of("0123456789") == std::string::npos;
  const int k = number ? std::stoi(text) : 0;
  if (k < 2) throw Error(ErrorKind::usage, fmt::format("--k {} makes no sense: say 2 or more, or auto", text));
  return static_cast<std::size_t>(k);
}

void print_json(const CohortOutcome& found) {
  nlohmann::json line = nlohmann::json::parse(found.cohort.about);
  line["event"] = "summary";
  line["patients"] = found.cohort.patients.size();
  line["slides"] = found.slides;
  line["nuclei"] = found.nuclei;
  for (const fs::path& file : found.files) line["files"].push_back(file.string());
  write_json(line);
}

void print_group_table(const GroupTable& table, std::size_t branches) {
  if (table.groups.empty() || branches == 0) return;
  std::size_t width = 5;
  for (const std::string& group : table.groups) width = std::max(width, group.size());
  std::string line = fmt::format("{:<{}}", "", width);
  for (std::size_t b = 1; b <= branches; ++b) line += fmt::format("  {:>9}", fmt::format("branch {}", b));
  print_out("{}\n", line);
  for (std::size_t g = 0; g < table.groups.size(); ++g) {
    line = fmt::format("{:<{}}", table.groups[g], width);
    for (const std::int64_t count : table.counts[g]) line += fmt::format("  {:>9}", count);
    print_out("{}\n", line);
  }
}

void print_text(const CohortOutcome& found) {
  for (const fs::path& file : found.files) print_out("{}\n", file.string());
  if (found.branches.choices.size() > 1)
    for (const BranchChoice& each : found.branches.choices)
      print_out("k {:>2}: silhouette {:.3f}\n", each.k, each.silhouette);
  print_group_table(found.groups, found.branches.count);
  print_out("{}\n", found.groups.verdict);
  std::string branches;
  if (found.branches.count > 0)
    branches = ", " + fmt::format("{} branches by {} values", found.branches.count, found.branches.values.size());
  print_out("{}, {}, {} nuclei{}\n", plural(std::ssize(found.cohort.patients), "patient"),
            plural(found.slides, "slide"), grouped(found.nuclei), branches);
}

void run(CohortCommand& command) {
  command.cohort.k = branches_of(command.k);
  const fs::path& study = command.cohort.study;
  check_is_study(study);
  const io::OutputLock lock(study);
  ProgressReport report(choose_style(command.json, command.quiet), "nuclei");
  const CohortOutcome found = make_cohort(command.cohort, [&](const std::string& phase) { report.phase(phase); });
  report.close();
  for (const std::string& note : found.notes) print_error("starpath: warning: {}\n", note);
  if (!found.groups.warning.empty()) print_error("starpath: warning: {}\n", found.groups.warning);
  if (command.json) print_json(found);
  if (!command.json && !command.quiet) print_text(found);
}

}  // namespace

void add_cohort_command(CLI::App& app) {
  auto arguments = std::make_shared<CohortCommand>();
  CohortArguments& cohort = arguments->cohort;
  CLI::App* command =
      app.add_subcommand("cohort", "Sum up a study by slide, region and patient, and group its patients");
  for_one_process(*command);
  command->add_option("STUDY", cohort.study, "The folder of a run over many slides")->required();
  command
      ->add_option("--features", cohort.features,
                   "Features that tables hold: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--values", cohort.values,
                   "What patients are compared by, as columns of patients.csv; default: nuclei_per_mm2, the median of "
                   "each feature and the share of each cluster, not of each class")
      ->delimiter(',');
  command->add_option("--k", arguments->k, "Number of branches, 2 or more, or auto: 2 to 8 by the silhouette")
      ->capture_default_str();
  command
      ->add_option_function<std::string>(
          "--linkage",
          [arguments](const std::string& name) {
            arguments->cohort.linkage = name == "ward" ? Linkage::ward : Linkage::average;
          },
          "How branches are joined")
      ->check(CLI::IsMember({"ward", "average"}))
      ->default_str("ward");
  command->add_option("--group", cohort.group, "Column of the list that branches are set beside")
      ->capture_default_str();
  command
      ->add_option("--permutations", cohort.permutations, "Most arrangements of groups that the permutation test tries")
      ->check(CLI::Range(99, 10'000'000))
      ->capture_default_str();
  command->add_option("--seed", cohort.seed, "Of the random numbers, when not all arrangements are tried")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Progress and summary as JSON lines on stdout");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors and warnings");
  command->footer(kFooter);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
