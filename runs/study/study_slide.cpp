// A run over one slide among others.
#include "runs/study/study_slide.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/words.hpp"
#include "pipelines/run/core_task.hpp"
#include "pipelines/run/roi.hpp"
#include "pipelines/study/slide_summary.hpp"
#include "runs/input_state.hpp"
#include "runs/output_folder.hpp"
#include "runs/study/study_report.hpp"

namespace starpath {
namespace {

/// Why the slide is not done; empty when it is.
std::string what_is_missing(const Progress& progress, const ExportsAtEnd& exports) {
  if (progress.interrupted || !exports.stopped.empty()) return kInterrupted;
  if (progress.tiles_failed > 0)
    return fmt::format("{} of {} tiles failed", progress.tiles_failed, progress.tiles_total);
  const std::ptrdiff_t failed = std::ssize(exports.failed);
  return failed == 0 ? "" : plural(failed, "export") + " not written";
}

/// What the study keeps of the slide, but for its number in the list and its seconds.
io::SlideSummary study_summary(const SegmentFindings& found, const io::ResultStore& results, bool interrupted) {
  io::SlideSummary summary;
  summarise_results(results, interrupted, summary);
  summary.warnings = warnings_of(found);
  if (!interrupted) summary.left_out_eosin = found.nuclei->left_out;
  if (found.survey) {
    summary.survey = survey_summary(*found.survey).dump();
    summary.warnings.insert(summary.warnings.end(), found.survey->warnings.begin(), found.survey->warnings.end());
  }
  return summary;
}

}  // namespace

std::string state_of_files(const std::string& slide, const std::string& roi, const std::string& exclude) {
  std::string state = InputState(slide).text();
  if (names_region_file(roi)) state += "; regions " + InputState(roi).text();
  if (!exclude.empty()) state += "; excluded " + InputState(exclude).text();
  return state;
}

SegmentRequest request_for(const SegmentRequest& study, const io::StudySlide& slide) {
  SegmentRequest request = study;
  request.input = slide.path;
  request.out = (std::filesystem::path(study.out) / slide.folder).string();
  request.mpp = slide.mpp;
  request.roi = slide.roi;
  request.exclude = slide.exclude;
  request.options.gpus_prepared = true;
  return request;
}

SlideOutcome segment_study_slide(const SegmentRequest& request, TileWindow& window, SlideTurn& turn,
                                 const ProgressCallback& on_progress, RunListener& listener,
                                 const std::atomic<bool>& stop) {
  const InputState input(request.input);
  const std::string files_state = state_of_files(request.input, request.roi, request.exclude);
  SegmentPipeline pipeline(request);
  pipeline.open(Role::manager);
  const auto lock = lock_output(request);
  if (request.overwrite) check_memory(pipeline.memory_need());  // before anything is replaced
  const auto tiles = window.join(pipeline.open_results(), pipeline.workflow());
  if (const std::string note = pipeline.tiles_note(); !request.quiet && !note.empty()) listener.note(note);
  turn.opened();
  Computed computed = pipeline.compute(*tiles, on_progress, stop, nullptr);
  turn.computed();
  on_progress(computed.progress, "");
  input.check_unchanged();
  NotesAlone notes(listener);
  SlideOutcome outcome;
  const auto conclude = [&] {
    SegmentEnd end = pipeline.end(computed.progress.interrupted, {notes, stop, 1});
    const bool interrupted = computed.progress.interrupted || !end.exports.stopped.empty();
    outcome.summary = study_summary(end.found, pipeline.results(), interrupted);
    const std::vector<std::string>& on_regions = pipeline.region_notes();
    outcome.summary.warnings.insert(outcome.summary.warnings.end(), on_regions.begin(), on_regions.end());
    outcome.summary.error = what_is_missing(computed.progress, end.exports);
    outcome.failed_exports = std::move(end.exports.failed);
  };
  run_on_core("exports", conclude, request.record.empty() ? nullptr : &computed.log);
  outcome.summary.file_state = files_state;
  outcome.summary.state = outcome.summary.error.empty() ? io::SlideState::done : io::SlideState::incomplete;
  outcome.log = std::move(computed.log);
  return outcome;
}

}  // namespace starpath
