// What a study keeps of its slides and runs: study.sqlite, and what is told.
#pragma once
#include <cstdint>
#include <filesystem>
#include <map>
#include <mutex>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/study/study_notes.hpp"
#include "pipelines/study/study_writer.hpp"
#include "runs/run_steps.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/study_report.hpp"

namespace starpath {

/// Workers of this process by class, as JSON: [{"name": "cpu", "workers": 2}]. StarPU must be running.
nlohmann::json devices_in_use();
/// Adds those of another process.
void add_devices(const nlohmann::json& others, nlohmann::json& devices);

class StudyBooks final : public StudyNotes {
 public:
  /// Enters the slides, which have folders, in the store, and leaves out those that an earlier run has finished. A
  /// slide that is done, but whose files or options have changed since, keeps its row until it is done again. All but
  /// the store must outlive the books.
  StudyBooks(const SegmentRequest& request, const std::vector<io::StudySlide>& slides, io::StudyStore store,
             StudyReport& report);

  /// Places of the slides that are left.
  const std::vector<std::int64_t>& to_do() const { return to_do_; }

  void begun(std::size_t slide) override;
  void update(std::size_t slide, const Progress& progress, const std::string& failure) override;
  void finished(std::size_t slide, const SlideOutcome& outcome) override;

  /// Waits until all that was noted is written. Returns the sums over all slides, and the log of all tasks.
  Computed sum();
  /// Keeps in study.sqlite what the run was, unless it had nothing to do.
  void note_run(const RunWork& work, const nlohmann::json& devices);
  /// What came of all slides.
  Conclusion conclude(bool interrupted);

 private:
  const SegmentRequest& request_;
  const std::vector<io::StudySlide>& slides_;
  std::vector<std::int64_t> numbers_;  // of the slides, in the store
  std::vector<std::int64_t> to_do_;
  StudyReport& report_;

  std::map<std::size_t, io::SlideSummary> standing_;  // by place: to do, but done before, with results

  std::mutex mutex_;                          // for the next four
  std::int64_t kept_ = 0, kept_refused_ = 0;  // of those that stand; the second: of them
  TaskLog log_;
  std::vector<std::filesystem::path> failed_exports_;
  io::StudyStore store_;
  StudyWriter writer_;  // last: it writes what waits before anything else ends
};

}  // namespace starpath
