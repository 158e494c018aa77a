// Where a task may be planned, and which place is chosen.
#pragma once
#include <cmath>
#include <limits>
#include <span>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/numbers.hpp"

namespace starpath {

/// A task at a place; infinite: it cannot run there.
struct Candidate {
  double begin = std::numeric_limits<double>::infinity();   ///< when a worker would have nothing else to do
  double finish = std::numeric_limits<double>::infinity();  ///< when the task would end
  double rated = std::numeric_limits<double>::infinity();   ///< seconds until then, and what its copies cost others
  double price = std::numeric_limits<double>::infinity();
  PlaceId place = 0;
  bool too_dear = false;  ///< set by choose_place

  bool possible() const { return begin < std::numeric_limits<double>::infinity(); }
  /// For how many seconds it would keep a worker busy.
  double work() const { return finish - begin; }
  /// Of those that differ by rounding errors alone, the one that is free first: what uses the results is drawn there.
  bool before(const Candidate& other) const {
    if (std::abs(rated - other.rated) > 1e-6 * rated) return rated < other.rated;
    return begin < other.begin;
  }
  bool cheaper(const Candidate& other) const { return price != other.price ? price < other.price : before(other); }
};

/// The best of the best place of each class: the one that ends first, its copies' costs added, of classes that are not
/// too dear. But the cheapest that ends before the deadline `due`, with that added, if a worker there is free `now`.
/// Marks those that are too dear. The answer is not possible() if none is.
inline Candidate choose_place(std::span<Candidate> by_class, double due, double now) {
  Candidate cheapest;
  for (const Candidate& candidate : by_class)
    if (candidate.finish <= due && candidate.cheaper(cheapest)) cheapest = candidate;
  Candidate best;
  for (Candidate& candidate : by_class) {
    candidate.too_dear = cheapest.price < std::numeric_limits<double>::infinity() &&
                         candidate.price > kNumbers.too_dear * cheapest.price;
    if (!candidate.too_dear && candidate.before(best)) best = candidate;
  }
  return best.possible() && cheapest.begin <= now && now + cheapest.rated <= due ? cheapest : best;
}

}  // namespace starpath
