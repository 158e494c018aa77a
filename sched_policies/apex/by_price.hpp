// The rule of apex while all chains are short: each task where it belongs by price.
#pragma once
#include "sched_policies/apex/choice.hpp"
#include "sched_policies/apex/situation.hpp"

namespace starpath {

/// A worker takes a task that is at home at its place, or one that costs there at most twice as much, in prices, as at
/// home. It takes only tasks that it would finish in time, or that it is the fastest for. It also takes a task that it
/// is the fastest for and that would not be in time at home. Needs prices: `situation.rates` is not empty.
Choice choose_by_price(const Situation& situation, WorkerId worker, double now);

}  // namespace starpath
