// `starpath cohort STUDY`: checks the study, and starts the Python package, which sums it up and compares its patients.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "apps/cli/number_range.hpp"
#include "apps/cohort/python_package.hpp"
#include "apps/run/one_process.hpp"
#include "io/results/output_lock.hpp"
#include "io/study/done_slides.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr const char* kFooter =
    R"(STUDY is the folder of a run over many slides (study.sqlite, docs/study.md). Slides with the same `patient` in the list
are one patient. A slide without a patient is a patient of its own. The command writes into study.sqlite and beside it:

  slides.csv, regions.csv, patients.csv   density, mean and quartiles of features, shares of clusters and classes
  heatmap.svg                             patients and their values, in the order of a tree of likeness

The tree is cut into k branches. Branches are set beside the groups that the list gives the patients; whether the two go
together is tested by permutation, and not told where there are too few patients to say. docs/cohort.md says how.

The command runs in Python, with NumPy, SciPy, pandas and matplotlib. STARPATH_PYTHON names the Python; else it is python3.

Examples:
  starpath cohort study                                  # as many branches as the silhouette says
  starpath cohort study --k 3 --linkage average
  starpath cohort study --group stage                    # another column of the list
  starpath cohort study --values nuclei_per_mm2,nucleus_area_median,cluster_1_share
  starpath cohort study --values class_Tumor_share,class_Lymphocyte_share  # after `starpath classify run`)";

struct CohortRequest {
  fs::path study;
  std::vector<std::string> features = {"basic"}, values = {};
  std::string k = "auto", linkage = "ward", group = "group";
  std::int64_t permutations = 10'000;
  std::uint64_t seed = 1;
  bool json = false, quiet = false;
};

/// Throws Error for a folder that is no study, for a damaged study, and for one that another process is changing. A
/// study of an older layout is brought up to date.
void check_study(const fs::path& folder) {
  io::check_is_study(folder);
  const io::OutputLock lock(folder);
  const io::StudyStore study = io::StudyStore::change(folder / "study.sqlite");
  study.rows();
  study.clusters();
  study.classes();
}

/// As the package's command line takes it.
std::vector<std::string> arguments_of(const CohortRequest& request) {
  std::vector<std::string> arguments = {"cohort",
                                        fmt::format("--features={}", fmt::join(request.features, ",")),
                                        "--k=" + request.k,
                                        "--linkage=" + request.linkage,
                                        "--group=" + request.group,
                                        fmt::format("--permutations={}", request.permutations),
                                        fmt::format("--seed={}", request.seed)};
  if (!request.values.empty()) arguments.push_back(fmt::format("--values={}", fmt::join(request.values, ",")));
  if (request.json) arguments.emplace_back("--json");
  if (request.quiet) arguments.emplace_back("--quiet");
  arguments.emplace_back("--");
  arguments.push_back(request.study.string());
  return arguments;
}

}  // namespace

void add_cohort_command(CLI::App& app) {
  auto request = std::make_shared<CohortRequest>();
  CLI::App* command =
      app.add_subcommand("cohort", "Sum up a study by slide, region and patient, and group its patients");
  for_one_process(*command);
  command->add_option("STUDY", request->study, "The folder of a run over many slides")->required();
  command
      ->add_option("--features", request->features,
                   "Features that tables hold: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command
      ->add_option("--values", request->values,
                   "What patients are compared by, as columns of patients.csv; default: nuclei_per_mm2, the median of "
                   "each feature and the share of each cluster, not of each class")
      ->delimiter(',');
  command->add_option("--k", request->k, "Number of branches, 2 or more, or auto: 2 to 8 by the silhouette")
      ->capture_default_str();
  command->add_option("--linkage", request->linkage, "How branches are joined")
      ->check(CLI::IsMember({"ward", "average"}))
      ->capture_default_str();
  command->add_option("--group", request->group, "Column of the list that branches are set beside")
      ->capture_default_str();
  command
      ->add_option("--permutations", request->permutations,
                   "Most arrangements of groups that the permutation test tries")
      ->check(number_between(99, 10'000'000))
      ->capture_default_str();
  command->add_option("--seed", request->seed, "Of the random numbers, when not all arrangements are tried")
      ->capture_default_str();
  command->add_flag("--json", request->json, "Progress and summary as JSON lines on stdout");
  command->add_flag("--quiet", request->quiet, "Say nothing but errors and warnings");
  command->footer(kFooter);
  command->callback([request] {
    check_study(request->study);
    become_python_package(arguments_of(*request));
  });
}

}  // namespace starpath::apps
