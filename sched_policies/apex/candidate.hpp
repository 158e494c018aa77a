// Where a task may be planned, and which place is chosen.
#pragma once
#include <cmath>
#include <limits>
#include <span>

#include "sched_policies/apex/costed_task.hpp"
#include "sched_policies/apex/numbers.hpp"

namespace starpath {

/// What is forecast of a task at one place. All times are infinite if it cannot run there.
struct Candidate {
  double begin = std::numeric_limits<double>::infinity();   ///< when a worker would have nothing else to do
  double finish = std::numeric_limits<double>::infinity();  ///< when the task would end
  double rated = std::numeric_limits<double>::infinity();  ///< seconds until `finish`, plus what its copies cost others
  double price = std::numeric_limits<double>::infinity();  ///< of its run and its copies: see ClassPrices
  PlaceId place = 0;
  bool too_dear = false;  ///< set by choose_place

  bool possible() const { return begin < std::numeric_limits<double>::infinity(); }
  /// For how many seconds it would keep a worker busy.
  double work() const { return finish - begin; }
  /// Whether this one is better. If they differ by rounding errors alone, the place that is free first is better,
  /// because the tasks that use the results are drawn there.
  bool before(const Candidate& other) const {
    if (std::abs(rated - other.rated) > 1e-6 * rated) return rated < other.rated;
    return begin < other.begin;
  }
  bool cheaper(const Candidate& other) const { return price != other.price ? price < other.price : before(other); }
};

/// Chooses a place for a task from the best candidate of each class:
///   - A class is too dear if its price is more than kNumbers.too_dear times the lowest price among the classes where
///     the task ends before its deadline `due`. The candidate is marked.
///   - If the cheapest of these classes has a worker that is free `now`, and the task ends there before the deadline
///     even with what its copies cost others, it is chosen.
///   - Else the candidate with the lowest `rated` is chosen, among the classes that are not too dear.
/// If the task can run nowhere, the answer is not possible().
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
