// The list of all policies: the plug-in's table, the command line's list and every typed test are made from it.
#pragma once

#include "sched_policies/core/apex.hpp"
#include "sched_policies/core/ddfcfs.hpp"
#include "sched_policies/core/ddwrr.hpp"
#include "sched_policies/core/fcfs.hpp"
#include "sched_policies/core/odds.hpp"
#include "sched_policies/core/padas.hpp"
#include "sched_policies/core/pams.hpp"
#include "sched_policies/core/pats.hpp"

namespace starpath {

/// A list of types.
template <class... Types>
struct TypeList {};

/// Every policy. A new policy is its header and its name here.
using PolicyList = TypeList<Fcfs, Ddfcfs, Ddwrr, Pats, Padas, Pams, Odds, Apex>;

}  // namespace starpath
