// When a process asks for its next slide of a study. Pure.
#pragma once
#include <cstddef>

namespace starpath::mpi {

/// The slides of a study that a process has. Each slide goes through three steps; the first and the last use no worker.
struct SlidesAtWork {
  std::size_t opening = 0;     ///< slides: files and results are opened
  std::size_t computing = 0;   ///< slides with tiles
  std::size_t concluding = 0;  ///< slides: exports are written
  std::size_t tiles = 0;       ///< of all of them, not finished
};

/// Slides are begun no earlier than workers need them, because each holds an open file, caches and a database. The next
/// slide is due when the slides at work have tiles for less than two windows, so that its survey is done when the tiles
/// before it run out. It waits while twice as many slides as there are workers are being opened, because opening waits
/// for the disk. It also waits while as many slides write their exports. When the tiles left are less than a window,
/// workers are about to have none, and twice as many slides may write their exports. So at most six slides a worker and
/// two windows are at work, however large the slides are.
inline bool is_slide_due(const SlidesAtWork& at_work, std::size_t window, std::size_t workers) {
  if (at_work.opening + at_work.computing + at_work.concluding == 0) return true;
  const std::size_t tiles = at_work.tiles + at_work.opening;
  return at_work.opening < 2 * workers && tiles < 2 * window &&
         at_work.concluding < (tiles < window ? 4 * workers : 2 * workers);
}

}  // namespace starpath::mpi
