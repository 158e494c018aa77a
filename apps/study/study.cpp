// A study from its arguments to its exit code.
#include "apps/study/study.hpp"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/run/compute.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/study/folder_names.hpp"
#include "apps/study/slide_list.hpp"
#include "apps/study/study_report.hpp"
#include "apps/study/study_work.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/segmentation/parameter_table.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;

/// What all slides share.
std::string parameters_of_all(const SegmentArguments& arguments) {
  const SegmentationOptions& options = arguments.options;
  return nlohmann::json{{"pipeline", "segmentation"},
                        {"tile", options.tiling.tile},
                        {"halo", options.tiling.halo},
                        {"work_mpp", options.target_mpp},
                        {"parameters", parameters_json(options.parameters)}}
      .dump();
}

io::StudyStore open_store(const SegmentArguments& arguments) {
  const fs::path file = fs::path(arguments.out) / "study.sqlite";
  std::error_code error;
  const bool exists = fs::exists(file, error);
  if (exists && !arguments.resume && !arguments.overwrite)
    throw Error(ErrorKind::output, fmt::format("{} holds a study already: continue it with --resume, replace it with "
                                               "--overwrite, or choose another --out",
                                               file.string()));
  if (exists && arguments.resume) return io::StudyStore::resume(file, version, parameters_of_all(arguments));
  io::remove_results_file(file);
  return io::StudyStore::create(file, version, parameters_of_all(arguments));
}

/// What can be known to be wrong before anything is written.
void check(const SegmentArguments& arguments, const std::vector<io::StudySlide>& slides) {
  if (cluster::launched_ranks() > 1)
    throw Error(ErrorKind::usage,
                "several slides in one run are for one process: start without mpirun, or one job a slide");
  check_given_once(slides);
  check_work_mpp(arguments.options.target_mpp);
  choose_policy(arguments.session);
  check_starpu_environment();
}

/// What is said of all slides, said of each that says nothing itself.
void say_of_each(const SegmentArguments& arguments, std::vector<io::StudySlide>& slides) {
  for (io::StudySlide& slide : slides) {
    if (slide.mpp == 0) slide.mpp = arguments.mpp;
    if (slide.roi.empty()) slide.roi = arguments.roi;
    if (slide.exclude.empty()) slide.exclude = arguments.exclude;
  }
}

std::vector<std::string> choose_folders(const io::StudyStore& store, std::vector<io::StudySlide>& slides) {
  std::vector<io::StudySlide> known;
  for (const io::StudyRow& row : store.rows()) known.push_back(row.slide);
  name_folders(slides, known);
  std::vector<std::string> names;
  for (const io::StudySlide& slide : slides) names.push_back(slide.folder);
  return names;
}

/// Returns the exit code.
int tell_study(const RunArguments& arguments, const Outcome& outcome, AtomicFile* record) {
  const int code = tell(arguments, outcome, record);
  const auto failed = outcome.found_json["slides_failed"].get<std::int64_t>();
  if (failed == 0 || outcome.progress.interrupted) return code;
  print_error(
      "starpath: {} of {} slides failed (listed above and in study.sqlite, table slides); try them again with "
      "--resume\n",
      failed, outcome.found_json["slides"].get<std::int64_t>());
  return static_cast<int>(ErrorKind::tiles_failed);
}

}  // namespace

int run_study(SegmentArguments& arguments, std::vector<io::StudySlide> slides) {
  check(arguments, slides);
  say_of_each(arguments, slides);
  const auto lock = lock_output(arguments);
  std::optional<AtomicFile> record;  // whether it can be written is known before hours of work
  if (!arguments.record.empty()) record.emplace(arguments.record);
  io::StudyStore store = open_store(arguments);
  const std::vector<std::string> names = choose_folders(store, slides);
  const std::atomic<bool>& stop = catch_stop_signals();
  const ReportStyle style = choose_style(arguments.json, arguments.quiet);
  StudyReport report(style, names);
  StudyWork study(arguments, slides, std::move(store), report);
  Outcome outcome;
  ProgressReport hints(style, "nuclei");
  with_resume_hint(hints, [&] {
    compute(arguments, outcome, [&] {
      study.work(stop);
      arguments.log = study.take_log();
      study.conclude(outcome);
      study.note_run(outcome);
    });
  });
  report.close();
  return tell_study(arguments, outcome, record ? &*record : nullptr);
}

}  // namespace starpath::apps
