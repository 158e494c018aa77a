// A run over one slide among others.
#include "apps/study/study_slide.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/run/input_state.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/roi.hpp"
#include "apps/study/slide_summary.hpp"
#include "apps/study/study_report.hpp"
#include "base/words.hpp"
#include "pipelines/run/core_task.hpp"

namespace starpath::apps {
namespace {

void note_survey(const Outcome& outcome, io::SlideSummary& summary) {
  if (!outcome.about.contains("survey")) return;
  const nlohmann::json& survey = outcome.about["survey"];
  summary.survey = survey.dump();
  for (const auto& warning : survey.value("warnings", nlohmann::json::array()))
    summary.warnings.push_back(warning.get<std::string>());
}

/// Why the slide is not done; empty when it is.
std::string what_is_missing(const Outcome& outcome) {
  if (outcome.progress.interrupted) return kInterrupted;
  if (outcome.progress.tiles_failed > 0)
    return fmt::format("{} of {} tiles failed", outcome.progress.tiles_failed, outcome.progress.tiles_total);
  const auto exports = static_cast<std::int64_t>(outcome.failed_exports.size());
  return exports == 0 ? "" : plural(exports, "export") + " not written";
}

}  // namespace

std::string state_of_files(const std::string& slide, const std::string& roi, const std::string& exclude) {
  std::string state = InputState(slide).text();
  if (names_region_file(roi)) state += "; regions " + InputState(roi).text();
  if (!exclude.empty()) state += "; excluded " + InputState(exclude).text();
  return state;
}

SegmentArguments arguments_for(const SegmentArguments& study, const io::StudySlide& slide) {
  SegmentArguments arguments = study;
  arguments.input = slide.path;
  arguments.out = (std::filesystem::path(study.out) / slide.folder).string();
  arguments.mpp = slide.mpp;
  arguments.roi = slide.roi;
  arguments.exclude = slide.exclude;
  arguments.options.gpus_prepared = true;
  return arguments;
}

SlideOutcome segment_study_slide(SegmentArguments arguments, TileWindow& window, SlideTurn& turn,
                                 const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  const InputState input(arguments.input);
  const std::string files_state = state_of_files(arguments.input, arguments.roi, arguments.exclude);
  SegmentPipeline pipeline(arguments);
  pipeline.open();
  const auto lock = lock_output(arguments);
  if (arguments.overwrite) check_memory(pipeline.memory_need());  // before anything is replaced
  const auto tiles = window.join(pipeline.open_results(), pipeline.workflow());
  turn.opened();
  Outcome outcome;
  outcome.progress = pipeline.compute(*tiles, on_progress, stop, nullptr).progress;
  turn.computed();
  on_progress(outcome.progress, "");
  input.check_unchanged();
  ProgressReport nobody(ReportStyle::quiet, pipeline.found());
  SlideOutcome ended;
  io::SlideSummary& summary = ended.summary;
  const auto conclude = [&] {
    pipeline.conclude(nobody, stop, outcome);
    summarise_results(pipeline.results(), outcome.progress.interrupted, summary);
  };
  run_on_core("exports", conclude, arguments.wanted_log());
  summary.file_state = files_state;
  summary.warnings = all_warnings(outcome);
  if (!outcome.progress.interrupted) summary.left_out_eosin = outcome.found_json["left_out_eosin"].get<std::int64_t>();
  note_survey(outcome, summary);
  summary.error = what_is_missing(outcome);
  summary.state = summary.error.empty() ? io::SlideState::done : io::SlideState::incomplete;
  ended.log = std::move(arguments.log);
  ended.failed_exports = std::move(outcome.failed_exports);
  return ended;
}

}  // namespace starpath::apps
