// Progress over all slides.
#include "runs/study/study_report.hpp"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/words.hpp"

namespace starpath {
namespace {

/// Numbers alone, so many times.
void add(const Progress& slide, std::int64_t times, Progress& sum) {
  sum.tiles_total += times * slide.tiles_total;
  sum.tiles_done += times * slide.tiles_done;
  sum.tiles_failed += times * slide.tiles_failed;
  sum.tiles_skipped += times * slide.tiles_skipped;
  sum.tiles_resumed += times * slide.tiles_resumed;
  sum.found += times * slide.found;
}

nlohmann::json json_of(const std::string& name, const io::SlideSummary& summary) {
  return {{"event", "slide"},
          {"slide", name},
          {"state", name_of(summary.state)},
          {"error", summary.error},
          {"nuclei", summary.nuclei.value_or(0)},
          {"tiles", summary.tiles.value_or(0)},
          {"seconds", summary.seconds}};
}

}  // namespace

StudyReport::StudyReport(RunListener& listener, std::vector<std::string> names)
    : listener_(listener), names_(std::move(names)), slides_(names_.size()) {}

void StudyReport::update(std::size_t slide, const Progress& progress, const std::string& failure) {
  const std::lock_guard lock(mutex_);
  Progress told;
  if (progress.tiles_total > 0) {
    put(slide, progress);
    told = numbers();
  }
  if (!progress.note.empty()) {
    told.note = fmt::format("{}: {}", names_[slide], progress.note);
    told_.insert(told.note);
  }
  listener_.update(told, failure.empty() ? "" : fmt::format("{}: {}", names_[slide], failure));
}

void StudyReport::resumed(std::size_t slide, const io::SlideSummary& summary) {
  const std::lock_guard lock(mutex_);
  take_from_before(slide, summary);
}

void StudyReport::kept(std::size_t slide, const io::SlideSummary& summary, const std::string& error) {
  const std::lock_guard lock(mutex_);
  take_from_before(slide, summary);
  if (error == kInterrupted) return;
  listener_.close();
  listener_.note(fmt::format("finished before and left as it was: {}: {}", names_[slide], error));
  io::SlideSummary told = summary;
  told.error = error;
  listener_.event(json_of(names_[slide], told), "");
}

void StudyReport::take_from_before(std::size_t slide, const io::SlideSummary& summary) {
  Progress progress;
  progress.tiles_total = progress.tiles_done = progress.tiles_resumed = summary.tiles.value_or(0);
  put(slide, progress);
  ++ended_;
}

void StudyReport::finished(std::size_t slide, const io::SlideSummary& summary) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  unopened_ += slides_[slide].tiles_total == 0;
  listener_.close();
  if (!summary.error.empty() && summary.error != kInterrupted)
    listener_.note(fmt::format("{}: {}: {}", name_of(summary.state), names_[slide], summary.error));
  for (const std::string& warning : summary.warnings)
    if (const std::string note = fmt::format("{}: warning: {}", names_[slide], warning); !told_.contains(note))
      listener_.note(note);
  const bool done = summary.state == io::SlideState::done;
  listener_.event(json_of(names_[slide], summary),
                  done ? fmt::format("{}: {}, {}, {:.2f} s ({} of {} slides)", names_[slide],
                                     nuclei_text(summary.nuclei.value_or(0)), plural(summary.tiles.value_or(0), "tile"),
                                     summary.seconds, ended_, names_.size())
                       : "");
}

void StudyReport::close() {
  const std::lock_guard lock(mutex_);
  listener_.close();
}

Progress StudyReport::sum() const {
  const std::lock_guard lock(mutex_);
  Progress sum = numbers();
  for (const Progress& slide : slides_) sum.add(slide.shares);
  return sum;
}

void StudyReport::put(std::size_t slide, const Progress& progress) {
  Progress& before = slides_[slide];
  add(before, -1, sum_);
  add(progress, 1, sum_);
  known_ += (progress.tiles_total > 0) - (before.tiles_total > 0);
  before = progress;
}

/// The sum over all slides, without the table of which worker ran which task.
Progress StudyReport::numbers() const {
  Progress told = sum_;
  told.slides_done = ended_;
  told.slides_total = static_cast<std::int64_t>(slides_.size());
  const std::int64_t to_come = told.slides_total - known_ - unopened_;
  told.tiles_expected = known_ > 0 ? told.tiles_total + told.tiles_total * to_come / known_ : 0;
  told.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  return told;
}

}  // namespace starpath
