// Notes of slides between ranks.
#include "runs/study/rank_slides.hpp"

#include <fmt/format.h>

#include <map>
#include <mutex>
#include <utility>

#include "pipelines/study/slide_messages.hpp"

namespace starpath {
namespace {

namespace fs = std::filesystem;
using mpi::Job;

/// Notes of a rank go to rank 0; who ran what is summed up here, for the end.
class NotesToManager final : public StudyNotes {
 public:
  explicit NotesToManager(Job& job) : job_(job) {}

  void begun(std::size_t slide) override { job_.tell(0, mpi::Note{begun_text(slide)}); }
  void update(std::size_t slide, const Progress& progress, const std::string& failure) override {
    if (progress.tiles_total > 0) {
      const std::lock_guard lock(mutex_);
      shares_[slide] = progress.shares;
    }
    job_.tell(0, mpi::Note{update_text(slide, progress, failure)});
  }
  void finished(std::size_t slide, const SlideOutcome& outcome) override {
    job_.tell(0, mpi::Note{finished_text(slide, outcome)});
  }

  Progress sum() const {
    Progress sum;
    for (const auto& [slide, shares] : shares_) sum.add(shares);
    return sum;
  }

 private:
  Job& job_;
  std::mutex mutex_;
  std::map<std::size_t, StageShares> shares_;
};

/// A note of another rank.
void take_note(SlideNote note, const std::string& rank, const fs::path& results, StudyBooks& books, StudyWork& work) {
  if (note.kind == SlideNote::Kind::begun) return books.begun(note.slide);
  if (note.kind == SlideNote::Kind::update) {
    if (!note.failure.empty()) note.failure += ", " + rank;
    return books.update(note.slide, note.progress, note.failure);
  }
  io::SlideSummary& summary = note.outcome.summary;
  std::error_code error;
  if (summary.state == io::SlideState::failed)
    summary.error += ", " + rank;
  else if (!fs::exists(results, error)) {
    summary = {};
    summary.state = io::SlideState::failed;
    summary.error = fmt::format("{} is not there, but {} wrote it: --out must be one folder that all nodes share",
                                results.string(), rank);
  }
  work.noted_elsewhere();
  books.finished(note.slide, note.outcome);
}

}  // namespace

Computed work_on_slides(const SegmentRequest& request, TileSource& source, RunListener& listener,
                        const std::atomic<bool>& stop, Job& job) {
  const auto introductions = job.begin("", [](int, const mpi::StreamMessage&) {});
  const std::vector<io::StudySlide> slides =
      introductions ? slides_from(introductions->at(0)) : std::vector<io::StudySlide>{};
  NotesToManager notes(job);
  StudyEvents events;
  StudyWork(request, slides, notes, listener, events).work(source, stop);
  return {.progress = notes.sum(), .more = devices_in_use()};
}

void hear_of_slides(const std::string& out, const std::vector<io::StudySlide>& slides,
                    const std::shared_ptr<StudyEvents>& events, StudyBooks& books, StudyWork& work, Job& job) {
  job.begin(slides_text(slides), [=, &slides, &books, &work, &job](int from, const auto& message) {
    if (const auto* note = std::get_if<mpi::Note>(&message))
      events->push([=, &slides, &books, &work, rank = job.name_of(from), text = note->text] {
        SlideNote told = note_from(text);
        const fs::path results = fs::path(out) / slides.at(told.slide).folder / "results.sqlite";
        take_note(std::move(told), rank, results, books, work);
      });
  });
}

}  // namespace starpath
