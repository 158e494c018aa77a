// The slides of a study at work: threads, one window of tiles, what came of each.
#pragma once
#include <atomic>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <mutex>
#include <utility>
#include <vector>

#include "apps/run/run_outcome.hpp"
#include "apps/segment/pipeline.hpp"
#include "apps/study/slide_turns.hpp"
#include "apps/study/study_report.hpp"
#include "apps/study/study_slide.hpp"
#include "io/study/study_store.hpp"
#include "pipelines/run/tile_window.hpp"

namespace starpath::apps {

/// Each slide at work has a thread, which runs the loop of a single slide; they share StarPU's workers.
class StudyWork {
 public:
  /// Enters the slides, which have folders, in the store, and leaves out those that an earlier run has finished. All
  /// but the store must outlive it.
  StudyWork(const SegmentArguments& arguments, const std::vector<io::StudySlide>& slides, io::StudyStore store,
            StudyReport& report);

  /// StarPU is running. Ends early once `stop` is true. A slide that fails is noted, and the others go on; what is
  /// thrown ends the study: study.sqlite cannot be written.
  void work(const std::atomic<bool>& stop);
  /// Fills in what came of all slides, without what compute() knows.
  void conclude(Outcome& outcome) const;
  /// Keeps in study.sqlite what the run was, unless it had nothing to do. `outcome` is concluded, StarPU still running.
  void note_run(const Outcome& outcome);
  /// Of all tasks, once.
  TaskLog take_log() { return std::move(log_); }

 private:
  void work_on_slides(TileWindow& window, SlideTurns& turns);
  void run(std::size_t slide, TileWindow& window, SlideTurn& turn);
  void keep(std::size_t slide, const SlideOutcome& outcome);

  const SegmentArguments& arguments_;
  const std::vector<io::StudySlide>& slides_;
  std::vector<std::int64_t> numbers_;  // of the slides, in the store
  std::vector<std::size_t> to_do_;
  StudyReport& report_;

  std::atomic<bool> halt_{false};
  std::mutex mutex_;  // for the rest
  io::StudyStore store_;
  TaskLog log_;
  std::vector<std::filesystem::path> failed_exports_;
  std::exception_ptr failure_;  // of the study
};

}  // namespace starpath::apps
