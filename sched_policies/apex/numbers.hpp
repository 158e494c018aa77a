// The numbers that apex was tuned by.
#pragma once
#include <cstddef>

namespace starpath {

/// What becomes of the results when each is halved or doubled: bench/results/apex.md, "What each number is worth".
/// Numbers that results hardly depend on, or that one part alone knows, stand with that part: copy_scale.hpp,
/// class_prices.cpp, links.hpp, apex.cpp.
struct Numbers {
  /// A class is too dear for a task above this many times the task's lowest price. Prices are of averages, and at times
  /// wrong by a fifth.
  double too_dear = 1.5;
  /// A copy costs other tasks this many times its own duration for each link that copies now: so many wait behind it.
  double delays = 4;
  /// Copies start ahead until they fill this share of the smallest device memory. What runs, and what is copied back,
  /// needs room too.
  double fetched = 0.5;
  /// Tasks come in a stream when new work replaces more than this share of the work that ends. Programs show about 0
  /// (graphs) or 1 (windows).
  double replaced = 0.5;
  /// A chain has to begin soon if it is longer than this share of the known work.
  double critical = 0.5;
  /// At most this many waiting tasks are planned again at once, which takes about a millisecond.
  std::size_t renewed = 4096;
  /// Where a memory is short, so many tasks of each type are compared by what is missing of their data.
  std::size_t compared = 64;
  /// With this many queued tasks for each worker, a look at each task costs too much.
  std::size_t plenty = 16;
  /// A worker then takes tasks for this many seconds at once: what a decision about one may cost beside its run.
  double batch = 10e-6;
};
inline constexpr Numbers kNumbers{};

}  // namespace starpath
