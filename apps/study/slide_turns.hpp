// When a study begins its next slide.
#pragma once
#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>

#include "pipelines/run/tile_window.hpp"

namespace starpath::apps {

/// Slides are begun in their order, and no earlier than workers need them: each holds an open file, caches and a
/// database. One is due when the slides at work have tiles for less than two windows, so that its survey is done when
/// the tiles before it run out. It waits while as many slides are being opened as there are workers, or twice as many
/// write their exports. Thread-safe.
class SlideTurns {
 public:
  SlideTurns(std::size_t slides, const TileWindow& tiles, std::size_t window, std::size_t workers)
      : slides_(slides), tiles_(tiles), window_(window), workers_(std::max<std::size_t>(1, workers)) {}

  /// How many slides may be at work at a time.
  std::size_t most() const { return std::min(slides_, 2 * window_ + 3 * workers_); }

  /// Waits for the next slide's turn. Nothing when there is none, or after stop().
  std::optional<std::size_t> next() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return stopped_ || next_ == slides_ || is_due(); });
    if (stopped_ || next_ == slides_) return std::nullopt;
    ++opening_;
    return next_++;
  }
  /// The slide's tiles are in the window.
  void opened() {
    change([&] { --opening_, ++computing_; });
  }
  /// Its tiles are done.
  void computed() {
    change([&] { --computing_, ++concluding_; });
  }
  /// It is done, or was given up, after so many of these two steps.
  void ended(int steps) {
    change([&] { --(steps == 0 ? opening_ : steps == 1 ? computing_ : concluding_); });
  }
  void stop() {
    change([&] { stopped_ = true; });
  }
  /// There may be fewer tiles.
  void look() {
    change([] {});
  }

 private:
  bool is_due() const {
    if (opening_ + computing_ + concluding_ == 0) return true;
    return opening_ < workers_ && concluding_ < 2 * workers_ && tiles_.unfinished() + opening_ < 2 * window_;
  }
  template <class Change>
  void change(const Change& what) {
    {
      const std::lock_guard lock(mutex_);
      what();
    }
    changed_.notify_all();
  }

  const std::size_t slides_;
  const TileWindow& tiles_;
  const std::size_t window_, workers_;
  std::mutex mutex_;
  std::condition_variable changed_;
  std::size_t next_ = 0, opening_ = 0, computing_ = 0, concluding_ = 0;
  bool stopped_ = false;
};

/// The turn of one slide, which ends with it.
class SlideTurn {
 public:
  explicit SlideTurn(SlideTurns& turns) : turns_(turns) {}
  ~SlideTurn() { turns_.ended(steps_); }
  SlideTurn(const SlideTurn&) = delete;
  SlideTurn& operator=(const SlideTurn&) = delete;

  void opened() {
    turns_.opened();
    steps_ = 1;
  }
  void computed() {
    turns_.computed();
    steps_ = 2;
  }

 private:
  SlideTurns& turns_;
  int steps_ = 0;
};

}  // namespace starpath::apps
