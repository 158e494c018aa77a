// The policies as data, for code that lists them (the command line, the documentation's test).
#pragma once
#include <span>

#include "sched_policies/core/policy.hpp"

namespace starpath {

/// Every policy, in the order of PolicyList. Needs no StarPU.
std::span<const PolicyInfo> policy_table();

}  // namespace starpath
