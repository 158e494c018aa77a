// The list of all policies: the plug-in's table, the command line's list and every typed test are made from it.
#pragma once
#include "sched_policies/apex/apex.hpp"
#include "sched_policies/core/type_list.hpp"
#include "sched_policies/policies/ddfcfs.hpp"
#include "sched_policies/policies/ddwrr.hpp"
#include "sched_policies/policies/eft.hpp"
#include "sched_policies/policies/fcfs.hpp"
#include "sched_policies/policies/odds.hpp"
#include "sched_policies/policies/padas.hpp"
#include "sched_policies/policies/pams.hpp"
#include "sched_policies/policies/pats.hpp"

namespace starpath {

/// Every policy. A new policy is its header and its name here.
using PolicyList = TypeList<Fcfs, Ddfcfs, Ddwrr, Pats, Padas, Pams, Odds, Eft, Apex>;

}  // namespace starpath
