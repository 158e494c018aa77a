// How links that copy at the same time share the bus of main memory.
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <span>

namespace starpath {

/// A model without state: links share the bus evenly, so all that copy go on at one speed. Copies are the seconds that
/// they would take alone.
struct SharedBus {
  double width = 1;  ///< how many links can copy at full speed at the same time; at least 1

  /// By how much a copy takes longer than alone while so many links copy.
  double slowdown(double links) const { return std::max(1.0, links / width); }

  /// Until a link has done its copies, while another has `others(i)` of them for every i below `size` but `link`: with
  /// even shares it waits for as much of each.
  template <class Others>
  double seconds_for(double alone, std::size_t link, std::size_t size, Others others) const {
    double all = alone;
    for (std::size_t other = 0; other < size; ++other)
      if (other != link) all += std::min(others(other), alone);
    return std::max(alone, all / width);
  }

  /// What happens until the first link has nothing left to copy, or time is over.
  struct Step {
    double links = 0;     ///< that copy
    double copied = 0;    ///< by each of them
    double seconds = 0;   ///< that it took
    bool to_end = false;  ///< time was over first, or no link copies
  };
  /// `backlogs`: what each link has to copy; 0 or less: nothing. `left`: seconds.
  Step step(std::span<const double> backlogs, double left) const {
    double least = std::numeric_limits<double>::infinity(), links = 0;
    for (const double backlog : backlogs) {
      if (backlog <= 0) continue;
      least = std::min(least, backlog);
      ++links;
    }
    const double copied = std::min(least, left / slowdown(links));
    return {.links = links, .copied = copied, .seconds = copied * slowdown(links), .to_end = copied < least};
  }
};

}  // namespace starpath
