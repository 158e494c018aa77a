// `starpath report STUDY`: a study as a page.
#include <CLI/CLI.hpp>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/cli/terminal.hpp"
#include "apps/run/one_process.hpp"
#include "apps/run/progress_report.hpp"
#include "apps/run/slide_decoder.hpp"
#include "base/atomic_file.hpp"
#include "base/own_file.hpp"
#include "io/study/done_slides.hpp"
#include "io/study/study_store.hpp"
#include "pages/study/study_page.hpp"
#include "runs/kept_files.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

constexpr OutputKind kPage = {"starpath report",
                              [](const fs::path& file) { return is_page_of(file, "starpath report"); }};

constexpr const char* kFooter =
    R"(STUDY is the folder of a run over many slides (study.sqlite, docs/study.md). The page is one file that needs no other and no
network: warnings, slides with maps of density, counts, regions, distributions of features by slide and group, clusters with
typical nuclei (after `starpath cluster`), classes (after `starpath classify run`), patients with heat map, branches and groups (after `starpath cohort`), and which
devices ran what. It may be written while slides are still at work. Nothing in STUDY is changed.

Examples:
  starpath report study                        # study/report.html
  starpath report study --out page.html --features nucleus_area,nucleus_haematoxylin_mean)";

struct ReportArguments {
  fs::path study, out;
  std::vector<std::string> features = {"basic"};
  bool json = false, quiet = false;
};

/// The page shows databases and slides.
Paths inputs_of_page(const fs::path& study) {
  Paths inputs = databases_of(study);
  for (const io::StudyRow& row : io::StudyStore::open(study / "study.sqlite").rows())
    inputs.emplace_back(row.slide.path);
  return inputs;
}

void run(const ReportArguments& arguments) {
  io::check_is_study(arguments.study);
  const fs::path out = arguments.out.empty() ? arguments.study / "report.html" : arguments.out;
  check_is_no_input(out, inputs_of_page(arguments.study), "the page");
  AtomicFile file(out, kPage);  // whether it can be written is known before the work
  ProgressReport report(choose_style(arguments.json, arguments.quiet), "nuclei");
  const pages::StudyPage page = pages::page_of_study(
      arguments.study, arguments.features, [&](const std::string& slide) { report.phase("looking at " + slide); });
  report.close();
  file.write(page.html);
  file.commit();
  for (const std::string& problem : page.problems) print_error("starpath: warning: {}\n", problem);
  if (arguments.json)
    write_json(nlohmann::json{{"event", "summary"},
                              {"page", out.string()},
                              {"slides", page.slides},
                              {"bytes", page.html.size()},
                              {"warnings", page.problems}});
  else if (!arguments.quiet)
    print_out("{}\n", out.string());
}

}  // namespace

void add_report_command(CLI::App& app) {
  auto arguments = std::make_shared<ReportArguments>();
  CLI::App* command = app.add_subcommand("report", "Write a study as one page for a browser");
  for_one_process(*command);
  add_trusted(*command);
  command->add_option("STUDY", arguments->study, "The folder of a run over many slides")->required();
  command->add_option("--out", arguments->out, "The page; replaced if it is one. Default: STUDY/report.html");
  command
      ->add_option(
          "--features", arguments->features,
          "Features whose distributions are shown: basic (size, shape, stains), all, or names (docs/features.md)")
      ->delimiter(',')
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Progress and summary as JSON lines on stdout");
  command->add_flag("--quiet", arguments->quiet, "Say nothing but errors and warnings");
  command->footer(kFooter);
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
