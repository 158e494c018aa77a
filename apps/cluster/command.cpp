// `starpath cluster STUDY`: the nuclei of a study in k clusters by their features.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/export/export_options.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/run_options.hpp"
#include "base/error.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"
#include "runs/clusters/cluster_study.hpp"
#include "runs/clusters/contact_sheet.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(STUDY is the folder of a run over many slides (study.sqlite, docs/study.md). k-means on standardised features of all nuclei
of its finished slides; clusters are numbered by size. Written into results.sqlite of each slide and into study.sqlite, in
place of clusters before; exports show them as classes in colours. clusters.png in STUDY shows 12 typical nuclei of each, a
row a cluster. The same for the same nuclei, features, k and seed, on any
device and any number of ranks. docs/groups-of-nuclei.md says how.

Examples:
  starpath cluster study                                   # 8 clusters by the 20 basic features
  starpath cluster study --k auto                          # 2 to 12, by the silhouette of a sample
  starpath cluster study --k 5 --features nucleus_area,nucleus_eccentricity,nucleus_haematoxylin_mean --seed 7
  starpath cluster study --batch 100000                    # rounds over samples of 100,000 nuclei: mini-batch k-means
  mpirun -n 4 starpath cluster study                       # each rank reads and labels its part of the slides)";

constexpr int kLargestBatch = 1 << 20;  // nuclei: a batch is in memory, two bytes a feature

struct ClusterCommand {
  RunRequest run;  // out: the study, session, exports, json, quiet
  ClusterRequest cluster;
  std::string k = "8";
  bool contact_sheet = true;
};

/// The text of --k as a number of clusters.
int clusters_of(const std::string& text) {
  if (text == "auto") return 0;
  int k = 0;
  const bool number = !text.empty() && text.size() <= 3 && text.find_first_not_of("0123456789") == std::string::npos;
  if (number) k = std::stoi(text);
  if (k < 2 || k > kMostCentres)
    throw Error(ErrorKind::usage, fmt::format("--k {} makes no sense: say 2 to {}, or auto", text, kMostCentres));
  return k;
}

void print_json(const ClusterOutcome& found, const std::vector<std::string>& files) {
  nlohmann::json line = nlohmann::json::parse(found.clusters.about);
  line["event"] = "summary";
  line["files"] = files;
  line["warnings"] = found.warnings;
  for (const io::StudyCluster& cluster : found.clusters.clusters)
    line["clusters"].push_back({{"cluster", cluster.name}, {"nuclei", cluster.nuclei}});
  write_json(line);
}

void print_text(const ClusterOutcome& found, std::ptrdiff_t slides, const std::vector<std::string>& files) {
  for (const std::string& file : files) print_out("{}\n", file);
  std::int64_t nuclei = 0;
  for (const io::StudyCluster& cluster : found.clusters.clusters) nuclei += cluster.nuclei;
  if (found.choices.size() > 1)
    for (const ClusterChoice& each : found.choices)
      print_out("k {:>2}: silhouette {:.3f} (standard error {:.3f}), spread {:.2f}\n", each.k, each.silhouette,
                each.standard_error, each.spread);
  for (const io::StudyCluster& cluster : found.clusters.clusters)
    print_out("{:<10} {:>12} nuclei  {:>5.1f} %\n", cluster.name, grouped(cluster.nuclei),
              100 * static_cast<double>(cluster.nuclei) / static_cast<double>(nuclei));
  const std::string rounds =
      plural(found.rounds, "round") + (found.batch > 0 ? fmt::format(" of {} nuclei", grouped(found.batch)) : "");
  print_out("{} nuclei of {} in {}, {}{}\n", grouped(nuclei), plural(slides, "slide"),
            plural(std::ssize(found.clusters.clusters), "cluster"), rounds,
            found.settled || found.batch > 0 ? "" : " (not settled: say more --rounds)");
}

/// Returns the exit code.
int conclude(const ClusterCommand& command, ClusteredStudy& study, ProgressReport& report) {
  const std::optional<ClusterOutcome>& found = study.found();
  if (!found) {
    report.close();
    print_error("starpath: stopped; no clusters are written\n");
    return kExitInterrupted;
  }
  const auto [written, stopped] = study.write_files(command.run, command.contact_sheet, report, catch_stop_signals());
  const std::vector<std::string> files(written.begin(), written.end());
  for (const std::string& warning : found->warnings) print_error("starpath: warning: {}\n", warning);
  if (command.run.json) print_json(*found, files);
  if (!command.run.json && !command.run.quiet) print_text(*found, std::ssize(study.plan().slides), files);
  if (!stopped.empty())
    return tell_stopped_group_exports(stopped, command.run.exports, command.cluster.study.string(), "clusters");
  return 0;
}

int run(ClusterCommand& command) {
  command.cluster.k = clusters_of(command.k);
  command.cluster.study = command.run.out;
  if (command.contact_sheet) check_contact_sheet(command.cluster.study);
  ProgressReport report(choose_style(command.run.json, command.run.quiet), "nuclei");
  const std::unique_ptr<ClusteredStudy> study = cluster_study(command.run, command.cluster, report);
  return study ? conclude(command, *study, report) : 0;
}

}  // namespace

void add_cluster_command(CLI::App& app) {
  auto arguments = std::make_shared<ClusterCommand>();
  CLI::App* command = app.add_subcommand("cluster", "Cluster the nuclei of a study by their features");
  command->add_option("STUDY", arguments->run.out, "The folder of a run over many slides")->required();
  command
      ->add_option(
          "--features", arguments->cluster.features,
          "Features that nuclei are compared by: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--k", arguments->k, "Number of clusters, 2 to 64, or auto")->capture_default_str();
  command->add_option("--seed", arguments->cluster.seed, "Of the random numbers that choose the first centres")
      ->capture_default_str();
  command
      ->add_option("--rounds", arguments->cluster.rounds,
                   "Most rounds of k-means; it ends earlier when no centre moves")
      ->check(number_between(1, 100000))
      ->capture_default_str();
  command
      ->add_option(
          "--batch", arguments->cluster.batch,
          "Nuclei that each round looks at, another sample each; 0: all. For more nuclei than there is time for")
      ->check(number_between(0, kLargestBatch))
      ->capture_default_str();
  add_group_exports(*command, arguments->run.exports, "clusters");
  command->add_flag_callback(
      "--no-contact-sheet", [arguments] { arguments->contact_sheet = false; }, "Write no clusters.png");
  add_scheduling(*command, arguments->run);
  add_progress(*command, arguments->run);
  add_patience(*command, arguments->run);
  command->footer(kFooter);
  command->callback([arguments] {
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
