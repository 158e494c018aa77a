// When a study begins its next slide.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "pipelines/run/tile_window.hpp"

namespace starpath::apps {

/// Slides are begun no earlier than workers need them: each holds an open file, caches and a database. One is due when
/// the slides at work have tiles for less than two windows, so that its survey is done when the tiles before it run
/// out. It waits while as many slides are being opened as there are workers, or twice as many write their exports.
/// Thread-safe.
class SlideTurns {
 public:
  /// `on_change` is called, on any thread, when a slide may have become due.
  SlideTurns(const TileWindow& tiles, std::size_t window, std::size_t workers, std::function<void()> on_change)
      : tiles_(tiles), window_(window), workers_(std::max<std::size_t>(1, workers)), on_change_(std::move(on_change)) {}

  bool is_due() const {
    const std::lock_guard lock(mutex_);
    if (opening_ + computing_ + concluding_ == 0) return true;
    return opening_ < workers_ && concluding_ < 2 * workers_ && tiles_.unfinished() + opening_ < 2 * window_;
  }
  /// A slide is begun.
  void begun() {
    change([&] { ++opening_; });
  }
  /// Its tiles are in the window.
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

 private:
  template <class Change>
  void change(const Change& what) {
    {
      const std::lock_guard lock(mutex_);
      what();
    }
    on_change_();
  }

  const TileWindow& tiles_;
  const std::size_t window_, workers_;
  const std::function<void()> on_change_;
  mutable std::mutex mutex_;
  std::size_t opening_ = 0, computing_ = 0, concluding_ = 0;
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
