// When a study begins its next slide.
#pragma once
#include <algorithm>
#include <cstddef>
#include <functional>
#include <mutex>
#include <utility>

#include "mpi/protocol/slides_at_work.hpp"
#include "pipelines/run/tile_window.hpp"

namespace starpath {

/// Counts the slides of this process by their steps, and says when one more is due (is_slide_due). Thread-safe.
class SlideTurns {
 public:
  /// `on_change` is called, on any thread, when a slide may have become due.
  SlideTurns(const TileWindow& tiles, std::size_t window, std::size_t workers, std::function<void()> on_change)
      : tiles_(tiles), window_(window), workers_(std::max<std::size_t>(1, workers)), on_change_(std::move(on_change)) {}

  bool is_due() const {
    const std::lock_guard lock(mutex_);
    mpi::SlidesAtWork at_work = at_work_;
    at_work.tiles = tiles_.unfinished();
    return mpi::is_slide_due(at_work, window_, workers_);
  }
  /// A slide is begun.
  void begun() {
    change([&] { ++at_work_.opening; });
  }
  /// Its tiles are in the window.
  void opened() {
    change([&] { --at_work_.opening, ++at_work_.computing; });
  }
  /// Its tiles are done.
  void computed() {
    change([&] { --at_work_.computing, ++at_work_.concluding; });
  }
  /// It is done, or was given up, after so many of these two steps.
  void ended(int steps) {
    change([&] { --(steps == 0 ? at_work_.opening : steps == 1 ? at_work_.computing : at_work_.concluding); });
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
  mpi::SlidesAtWork at_work_;
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

}  // namespace starpath
