// `starpath cluster STUDY`: the nuclei, the slides or the patients of a study in k clusters by their features.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/cli/number_range.hpp"
#include "apps/cli/terminal.hpp"
#include "apps/export/export_options.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/error.hpp"
#include "base/stop_signals.hpp"
#include "base/words.hpp"
#include "pipelines/study_clusters/cluster_study.hpp"
#include "runs/clusters/cluster_study.hpp"
#include "runs/clusters/clustered_members.hpp"
#include "runs/clusters/contact_sheet.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(STUDY is the folder of a run over many slides (study.sqlite, docs/study.md). k-means on standardised features of all nuclei
of its finished slides; clusters are numbered by size. Written into results.sqlite of each slide and into study.sqlite, in
place of clusters before; exports show them as classes in colours. clusters.png in STUDY shows 12 typical nuclei of each, a
row a cluster. The same for the same nuclei, features, k and seed, on any
device and any number of ranks. docs/groups-of-nuclei.md says how.

--of slides and --of patients cluster vectors: density, and the means of features over the nuclei of each slide, or of
each patient that the list names. They write clusters_of_slides.csv or clusters_of_patients.csv and study.sqlite.

Examples:
  starpath cluster study                                   # 8 clusters by the 20 basic features
  starpath cluster study --k auto                          # 2 to 12, by the silhouette of a sample
  starpath cluster study --k 5 --features nucleus_area,nucleus_eccentricity,nucleus_haematoxylin_mean --seed 7
  starpath cluster study --batch 100000                    # rounds over samples of 100,000 nuclei: mini-batch k-means
  starpath cluster study --of patients                     # patients with similar nuclei
  mpirun -n 4 starpath cluster study                       # each rank reads and labels its part of the slides)";

constexpr int kLargestBatch = 1 << 20;  // nuclei: a batch is in memory, two bytes a feature

struct ClusterCommand {
  RunRequest run;  // out: the study, session, exports, json, quiet
  ClusterRequest cluster;
  std::string of = "nuclei", k;
  bool contact_sheet = true;
};

constexpr const char* kClustersOfNuclei = "8";  // unless said; of slides and patients the silhouette decides

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

/// The last line, for machines.
template <class Clusters>
void print_json(const Clusters& clusters, const char* of, std::int64_t Clusters::value_type::*count,
                const std::string& about, const std::vector<std::string>& files,
                const std::vector<std::string>& warnings) {
  nlohmann::json line = nlohmann::json::parse(about);
  line["event"] = "summary";
  line["of"] = of;
  line["files"] = files;
  line["warnings"] = warnings;
  for (const auto& cluster : clusters) line["clusters"].push_back({{"cluster", cluster.name}, {of, cluster.*count}});
  write_json(line);
}

/// Lines for people. `where`: " of 3 slides", or nothing.
template <class Clusters>
void print_text(const Clusters& clusters, const Noun& noun, std::int64_t Clusters::value_type::*count,
                const ClusterFigures& figures, const std::vector<std::string>& files, const std::string& where) {
  for (const std::string& file : files) print_out("{}\n", file);
  std::int64_t all = 0;
  for (const auto& cluster : clusters) all += cluster.*count;
  if (figures.choices.size() > 1)
    for (const ClusterChoice& each : figures.choices)
      print_out("k {:>2}: silhouette {:.3f} (standard error {:.3f}), spread {:.2f}\n", each.k, each.silhouette,
                each.standard_error, each.spread);
  for (const auto& cluster : clusters)
    print_out("{:<10} {:>12} {}  {:>5.1f} %\n", cluster.name, grouped(cluster.*count), noun.many,
              100 * static_cast<double>(cluster.*count) / static_cast<double>(all));
  const std::string rounds = plural(figures.rounds, "round") +
                             (figures.batch > 0 ? fmt::format(" of {} {}", grouped(figures.batch), noun.many) : "");
  print_out("{}{} in {}, {}{}\n", count_text(all, noun), where, plural(std::ssize(clusters), "cluster"), rounds,
            figures.settled || figures.batch > 0 ? "" : " (not settled: say more --rounds)");
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
  const auto& clusters = found->clusters.clusters;
  if (command.run.json)
    print_json(clusters, kNuclei.many, &io::StudyCluster::nuclei, found->clusters.about, files, found->warnings);
  if (!command.run.json && !command.run.quiet)
    print_text(clusters, kNuclei, &io::StudyCluster::nuclei, *found, files,
               " of " + plural(std::ssize(study.plan().slides), "slide"));
  if (!stopped.empty())
    return tell_stopped_group_exports(stopped, command.run.exports, command.cluster.study.string(), "clusters");
  return 0;
}

/// The same for slides and patients.
int run_of_members(const ClusterCommand& command, io::MemberKind kind, ProgressReport& report) {
  const ClusterRequest& asked = command.cluster;
  const std::optional<ClusteredMembers> found =
      cluster_members_of(command.run, {kind, asked.features, {asked.k, asked.seed}, asked.rounds}, report);
  report.close();
  if (!found) {
    print_error("starpath: stopped; no clusters are written\n");
    return kExitInterrupted;
  }
  const auto& [outcome, table] = *found;
  for (const std::string& warning : outcome.warnings) print_error("starpath: warning: {}\n", warning);
  const auto& clusters = outcome.clusters.clusters;
  if (command.run.json)
    print_json(clusters, io::name_of(kind), &io::MemberCluster::members, outcome.clusters.about, {table.string()},
               outcome.warnings);
  if (!command.run.json && !command.run.quiet)
    print_text(clusters, noun_of(kind), &io::MemberCluster::members, outcome, {table.string()}, "");
  return 0;
}

int run(ClusterCommand& command) {
  const bool of_nuclei = command.of == kNuclei.many;
  command.cluster.k = clusters_of(!command.k.empty() ? command.k : of_nuclei ? kClustersOfNuclei : "auto");
  command.cluster.study = command.run.out;
  if (of_nuclei && command.contact_sheet) check_contact_sheet(command.cluster.study);
  ProgressReport report(choose_style(command.run.json, command.run.quiet), command.of);
  if (!of_nuclei)
    return run_of_members(command, command.of == "slides" ? io::MemberKind::slides : io::MemberKind::patients, report);
  const std::unique_ptr<ClusteredStudy> study = cluster_study(command.run, command.cluster, report);
  return study ? conclude(command, *study, report) : 0;
}

/// Throws Error{usage} for what says nothing of slides and patients.
void check_options(const CLI::App& command, const std::string& of) {
  if (of == kNuclei.many) return;
  for (const char* option : {"--batch", "--export", "--no-contact-sheet", "--patience"})
    if (command.count(option) > 0)
      throw Error(ErrorKind::usage, fmt::format("{} is for clusters of nuclei: leave it out with --of {}", option, of));
  check_one_process("cluster --of " + of);
}

}  // namespace

void add_cluster_command(CLI::App& app) {
  auto arguments = std::make_shared<ClusterCommand>();
  CLI::App* command = app.add_subcommand("cluster", "Cluster the nuclei, slides or patients of a study by features");
  command->add_option("STUDY", arguments->run.out, "The folder of a run over many slides")->required();
  add_trusted(*command);
  command
      ->add_option("--features", arguments->cluster.features,
                   "Features that are compared: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_option("--of", arguments->of, "What is clustered: nuclei, or vectors of slides or patients")
      ->check(CLI::IsMember({"nuclei", "slides", "patients"}))
      ->capture_default_str();
  command->add_option("--k", arguments->k,
                      "Number of clusters, 2 to 64, or auto; default: 8 of nuclei, auto of slides and patients");
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
  command->callback([arguments, command] {
    check_options(*command, arguments->of);
    if (const int code = run(*arguments); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
