// The numbers that apex was tuned by.
#pragma once
#include <cstddef>

namespace starpath {

/// Each halved and doubled: bench/results/apex.md, section 27, 35 for `critical`, 45 for `delays`. Numbers that results
/// hardly depend on, or that one part alone knows, stand there: copy_scale.hpp, class_prices.cpp, links.hpp, apex.cpp.
struct Numbers {
  double too_dear = 1.5;       ///< times the lowest price: prices are of averages, and a fifth wrong at times
  double delays = 4;           ///< times as long as a copy takes, for as many that wait behind it
  double fetched = 0.5;        ///< of the smallest device memory: what runs and what is copied back needs room too
  double replaced = 0.5;       ///< of the work that ends: programs show about 0 (graphs) or 1 (windows)
  double critical = 0.5;       ///< of the known work: chains from there on have to begin soon; shorter ones can wait
  std::size_t renewed = 4096;  ///< waiting tasks that are planned again: a millisecond or so
  std::size_t plenty = 16;     ///< queued tasks for each worker: so many that a look at each costs too much
  double batch = 10e-6;        ///< seconds of them: what a decision about one may cost beside its run
};
inline constexpr Numbers kNumbers{};

}  // namespace starpath
