// Threads over slides.
#include "runs/study/study_work.hpp"

#include <starpu.h>

#include <chrono>
#include <new>
#include <utility>

#include "base/error.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "runs/study/study_slide.hpp"

namespace starpath {
namespace {

constexpr std::chrono::milliseconds kSignalsNoticed{20};  // how soon

}  // namespace

StudyWork::StudyWork(const SegmentRequest& request, const std::vector<io::StudySlide>& slides, StudyNotes& notes,
                     RunListener& listener, StudyEvents& events)
    : request_(request),
      slides_(slides),
      notes_(notes),
      listener_(listener),
      events_(events),
      window_(window_of(request.options), [&events] { events.push([] {}); }),
      turns_(window_, window_of(request.options), starpu_worker_get_count(), [&events] { events.push([] {}); }) {
  for (const std::string& note : prepare_gpus_for_slides(request_.options)) listener_.note(note);
}

StudyWork::~StudyWork() { halt(); }

void StudyWork::work(TileSource& source, const std::atomic<bool>& stop) {
  // A slide is asked for when it is due: one at a time.
  TileIntake intake(source, 1, [this, &intake](SourceEvent event) {
    events_.push([this, &intake, told = std::move(event)] { handle(told, intake); });
  });
  while (!intake.over() || noted_elsewhere_ < ended_elsewhere_) {
    if (stop && !halt_) {
      intake.stop();
      halt();
    }
    for (const std::size_t slide : std::exchange(ended_, {}))
      intake.finished({static_cast<std::int64_t>(slide), false, false, 0, ""});
    while (intake.has_next()) begin(static_cast<std::size_t>(intake.next().instance.tile));
    if (turns_.is_due()) intake.ask(0);
    if (threads_.empty() && ended_.empty()) intake.idle();
    if (const auto event = events_.pop(kSignalsNoticed)) (*event)();
  }
}

void StudyWork::handle(const SourceEvent& event, TileIntake& intake) {
  intake.handle(event);
  if (std::holds_alternative<BeginNoTile>(event)) halt();
  if (std::holds_alternative<TileDoneElsewhere>(event)) ++ended_elsewhere_;
}

void StudyWork::halt() {
  halt_ = true;
  window_.stop();
}

void StudyWork::begin(std::size_t slide) {
  turns_.begun();
  threads_.emplace(slide, std::jthread([this, slide] {
                     std::exception_ptr failure;
                     try {
                       SlideTurn turn(turns_);
                       run(slide, turn);
                     } catch (...) {
                       failure = std::current_exception();
                     }
                     events_.push([this, slide, failure] { end(slide, failure); });
                   }));
}

void StudyWork::run(std::size_t slide, SlideTurn& turn) {
  using Clock = std::chrono::steady_clock;
  const auto begin = Clock::now();
  notes_.begun(slide);
  SlideOutcome outcome;
  const auto fail = [&](const std::string& why) {
    outcome.summary.state = io::SlideState::failed;
    outcome.summary.error = why;
  };
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    notes_.update(slide, progress, failure);
  };
  try {
    outcome = segment_study_slide(request_for(request_, slides_[slide]), window_, turn, on_progress, listener_, halt_);
  } catch (const std::bad_alloc&) {
    fail("out of memory: use a smaller --window or --tile");
  } catch (const Error& error) {
    fail(error.what());
    outcome.refused = error.kind() == ErrorKind::mismatch;
  } catch (const std::exception& error) {
    fail(error.what());
  }
  outcome.summary.seconds = std::chrono::duration<double>(Clock::now() - begin).count();
  notes_.finished(slide, outcome);
}

void StudyWork::end(std::size_t slide, const std::exception_ptr& failure) {
  threads_.erase(slide);
  if (failure) std::rethrow_exception(failure);
  ended_.push_back(slide);
}

}  // namespace starpath
