// Every policy of the list, by construction: the rules that hold for all of them, on random DAGs and machines.
#include <gtest/gtest.h>

#include "sched_policies/policies/policy_list.hpp"
#include "sched_policies/policies/policy_table.hpp"
#include "support/policy_contract.hpp"

namespace starpath {
namespace {

template <class List>
struct AsTestTypes;
template <class... Policies>
struct AsTestTypes<TypeList<Policies...>> {
  using type = testing::Types<Policies...>;
};

template <class P>
class EveryPolicy : public testing::Test {};
TYPED_TEST_SUITE(EveryPolicy, AsTestTypes<PolicyList>::type);

TYPED_TEST(EveryPolicy, RunsRandomDagsRightly) { EXPECT_EQ(des::broken_on_graphs<TypeParam>(), ""); }

TYPED_TEST(EveryPolicy, RunsShortTasksRightly) { EXPECT_EQ(des::broken_on_short_tasks<TypeParam>(), ""); }

TYPED_TEST(EveryPolicy, RepeatsItself) { EXPECT_EQ(des::broken_by_a_second_run<TypeParam>(), ""); }

TYPED_TEST(EveryPolicy, TakesATaskAgainAfterItLeft) { EXPECT_EQ(des::broken_by_a_task_that_returns<TypeParam>(), ""); }

TYPED_TEST(EveryPolicy, IsInTheTable) {
  const auto table = policy_table();
  EXPECT_EQ(std::ranges::count(table, TypeParam::kInfo.name, &PolicyInfo::name), 1);
  EXPECT_FALSE(TypeParam::kInfo.description.empty());
}

}  // namespace
}  // namespace starpath
