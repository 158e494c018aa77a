// Progress over all slides.
#include "apps/study/study_report.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "apps/run/words.hpp"
#include "apps/terminal.hpp"

namespace starpath::apps {
namespace {

void add(const Progress& slide, Progress& sum) {
  sum.tiles_total += slide.tiles_total;
  sum.tiles_done += slide.tiles_done;
  sum.tiles_failed += slide.tiles_failed;
  sum.tiles_skipped += slide.tiles_skipped;
  sum.tiles_resumed += slide.tiles_resumed;
  sum.found += slide.found;
  sum.add(slide.shares);
}

}  // namespace

StudyReport::StudyReport(ReportStyle style, std::vector<std::string> names)
    : style_(style), names_(std::move(names)), report_(style, "nuclei"), slides_(names_.size()) {}

void StudyReport::update(std::size_t slide, const Progress& progress, const std::string& failure) {
  const std::lock_guard lock(mutex_);
  Progress told;
  if (progress.tiles_total > 0) {
    slides_[slide] = progress;
    slides_[slide].note.clear();
    slides_[slide].news.clear();
    told = sum_of_all();
  }
  if (!progress.note.empty()) told.note = fmt::format("{}: {}", names_[slide], progress.note);
  report_.update(told, failure.empty() ? "" : fmt::format("{}: {}", names_[slide], failure));
}

void StudyReport::resumed(std::size_t slide, const io::SlideSummary& summary) {
  const std::lock_guard lock(mutex_);
  take_from_before(slide, summary);
}

void StudyReport::kept(std::size_t slide, const io::SlideSummary& summary, const std::string& error) {
  const std::lock_guard lock(mutex_);
  take_from_before(slide, summary);
  if (error == kInterrupted) return;
  report_.close();
  print_error("starpath: finished before and left as it was: {}: {}\n", names_[slide], error);
  io::SlideSummary told = summary;
  told.error = error;
  if (style_ == ReportStyle::json) print_slide(names_[slide], told);
}

void StudyReport::take_from_before(std::size_t slide, const io::SlideSummary& summary) {
  Progress& progress = slides_[slide] = {};
  progress.tiles_total = progress.tiles_done = progress.tiles_resumed = summary.tiles.value_or(0);
  ++ended_;
}

void StudyReport::finished(std::size_t slide, const io::SlideSummary& summary) {
  const std::lock_guard lock(mutex_);
  ++ended_;
  unopened_ += slides_[slide].tiles_total == 0;
  report_.close();
  if (!summary.error.empty() && summary.error != kInterrupted)
    print_error("starpath: {}: {}: {}\n", name_of(summary.state), names_[slide], summary.error);
  for (const std::string& warning : summary.warnings)
    print_error("starpath: warning: {}: {}\n", names_[slide], warning);
  print_slide(names_[slide], summary);
}

void StudyReport::print_slide(const std::string& name, const io::SlideSummary& summary) {
  if (style_ == ReportStyle::json) {
    write_json(nlohmann::json{{"event", "slide"},
                              {"slide", name},
                              {"state", name_of(summary.state)},
                              {"error", summary.error},
                              {"nuclei", summary.nuclei.value_or(0)},
                              {"tiles", summary.tiles.value_or(0)},
                              {"seconds", summary.seconds}});
    std::fflush(stdout);
  } else if (style_ != ReportStyle::quiet && summary.state == io::SlideState::done) {
    print_error("{}: {} nuclei, {}, {:.2f} s ({} of {} slides)\n", name, grouped(summary.nuclei.value_or(0)),
                plural(summary.tiles.value_or(0), "tile"), summary.seconds, ended_, names_.size());
  }
}

void StudyReport::close() {
  const std::lock_guard lock(mutex_);
  report_.close();
}

Progress StudyReport::sum() const {
  const std::lock_guard lock(mutex_);
  return sum_of_all();
}

Progress StudyReport::sum_of_all() const {
  Progress sum;
  std::int64_t known = 0;
  for (const Progress& slide : slides_) {
    add(slide, sum);
    known += slide.tiles_total > 0;
  }
  sum.slides_done = ended_;
  sum.slides_total = static_cast<std::int64_t>(slides_.size());
  const std::int64_t to_come = sum.slides_total - known - unopened_;
  sum.tiles_expected = known > 0 ? sum.tiles_total + sum.tiles_total * to_come / known : 0;
  sum.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
  return sum;
}

}  // namespace starpath::apps
