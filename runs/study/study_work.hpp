// The slides of a study at work: threads, one window of tiles.
#pragma once
#include <atomic>
#include <cstddef>
#include <exception>
#include <functional>
#include <map>
#include <thread>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "pipelines/run/tile_intake.hpp"
#include "pipelines/run/tile_window.hpp"
#include "pipelines/study/study_notes.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/slide_turns.hpp"

namespace starpath {

/// Events of a study, for the thread that runs it. Must outlive every thread that posts.
using StudyEvents = BlockingQueue<std::function<void()>>;

/// Each slide at work has a thread, which runs the loop of a single slide; they share StarPU's workers.
class StudyWork {
 public:
  /// StarPU is running. The listener hears notes alone. All must outlive it. What `events` hold runs within work().
  StudyWork(const SegmentRequest& request, const std::vector<io::StudySlide>& slides, StudyNotes& notes,
            RunListener& listener, StudyEvents& events);
  /// Waits for the slides at work.
  ~StudyWork();
  StudyWork(const StudyWork&) = delete;
  StudyWork& operator=(const StudyWork&) = delete;

  /// Works on the slides that `source` gives, by their places. Ends early once `stop` is true or the source says so. A
  /// slide that fails is noted, and the others go on; what is thrown ends the study: study.sqlite cannot be written.
  void work(TileSource& source, const std::atomic<bool>& stop);
  /// Within an event: what came of a slide on another rank is noted.
  void noted_elsewhere() { ++noted_elsewhere_; }
  /// Whether the work ended early.
  bool halted() const { return halt_; }

 private:
  void handle(const SourceEvent& event, TileIntake& intake);
  void halt();
  void begin(std::size_t slide);
  void run(std::size_t slide, SlideTurn& turn);
  void end(std::size_t slide, const std::exception_ptr& failure);

  const SegmentRequest& request_;
  const std::vector<io::StudySlide>& slides_;
  StudyNotes& notes_;
  RunListener& listener_;
  StudyEvents& events_;
  std::atomic<bool> halt_{false};
  TileWindow window_;
  SlideTurns turns_;
  std::size_t ended_elsewhere_ = 0, noted_elsewhere_ = 0;  // slides: both are told, in any order
  std::vector<std::size_t> ended_;                         // slides, to be told to the source
  std::map<std::size_t, std::jthread> threads_;            // by slide; last
};

}  // namespace starpath
