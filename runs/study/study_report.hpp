// How a run over many slides tells where it stands.
#pragma once
#include <chrono>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "io/study/study_store.hpp"
#include "pipelines/run/progress.hpp"
#include "runs/run_listener.hpp"

namespace starpath {

/// The error of a slide that was stopped with the study, which tells that once for all.
inline constexpr const char* kInterrupted = "interrupted";

/// Thread-safe.
class StudyReport {
 public:
  /// `names` of the slides, by which the listener hears of them.
  StudyReport(RunListener& listener, std::vector<std::string> names);

  /// Where a slide stands; the sum over all slides is told. `failure` is that of a tile.
  void update(std::size_t slide, const Progress& progress, const std::string& failure);
  /// A slide that an earlier run had finished, with so many tiles.
  void resumed(std::size_t slide, const io::SlideSummary& summary);
  /// A slide that stays as an earlier run had finished it, because of `error`.
  void kept(std::size_t slide, const io::SlideSummary& summary, const std::string& error);
  /// What came of a slide.
  void finished(std::size_t slide, const io::SlideSummary& summary);
  void close();

  /// The sum over all slides, with who ran what.
  Progress sum() const;

 private:
  void put(std::size_t slide, const Progress& progress);
  Progress numbers() const;
  void take_from_before(std::size_t slide, const io::SlideSummary& summary);

  using Clock = std::chrono::steady_clock;

  mutable std::mutex mutex_;
  RunListener& listener_;
  const std::vector<std::string> names_;
  std::set<std::string> told_;  // notes of slides, as they were told
  std::vector<Progress> slides_;
  Progress sum_;               // of their numbers, kept up: every tile of every slide is told
  std::int64_t known_ = 0;     // slides with tiles
  std::int64_t ended_ = 0;     // slides
  std::int64_t unopened_ = 0;  // of them, those that failed before their tiles were known
  const Clock::time_point begin_ = Clock::now();
};

}  // namespace starpath
