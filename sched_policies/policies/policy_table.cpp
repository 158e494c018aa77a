// The policies as data.
#include "sched_policies/policies/policy_table.hpp"

#include <array>

#include "sched_policies/policies/policy_list.hpp"

namespace starpath {
namespace {

template <class... Policies>
constexpr auto infos_of(TypeList<Policies...>) {
  return std::array{Policies::kInfo...};
}

constexpr auto kPolicies = infos_of(PolicyList{});

}  // namespace

std::span<const PolicyInfo> policy_table() { return kPolicies; }

}  // namespace starpath
