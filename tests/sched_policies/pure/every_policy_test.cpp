// Every policy of the list, by construction: the rules that hold for all of them, on random DAGs and machines.
#include <gtest/gtest.h>

#include <random>

#include "sched_policies/policies/policy_list.hpp"
#include "sched_policies/policies/policy_table.hpp"
#include "support/policy_simulation.hpp"

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

std::vector<Machine> machines() {
  return {des::machine(1, {}),     des::machine(4, {}),  des::machine(2, {1}),      des::machine(9, {3}),
          des::machine(4, {2, 1}), des::machine(0, {2}), des::machine(3, {1, 1, 1})};
}

TYPED_TEST(EveryPolicy, RunsRandomDagsRightly) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto all = machines();
    const Machine& machine = all[seed % all.size()];
    des::Dag dag = des::random_dag(machine, {.jobs = 50 + random() % 200}, random);
    dag.replaced = 0.5 * static_cast<double>(seed % 3);
    const des::Result result = des::simulate<TypeParam>(machine, dag);
    ASSERT_EQ(result.error, "");
    EXPECT_GT(result.makespan, 0);
  }
}

/// Of which workers get several at once, under a policy that does so.
TYPED_TEST(EveryPolicy, RunsShortTasksRightly) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937_64 random(seed);
    const auto all = machines();
    const Machine& machine = all[seed % all.size()];
    const des::DagShape shape{
        .jobs = 1000, .edges_per_job = 0.2, .unknown = 0.02 * static_cast<double>(seed % 2), .second = 1e-6};
    EXPECT_EQ(des::simulate<TypeParam>(machine, des::random_dag(machine, shape, random)).error, "");
  }
}

TYPED_TEST(EveryPolicy, RepeatsItself) {
  std::mt19937_64 random(7);
  const Machine machine = des::machine(3, {2});
  const des::Dag dag = des::random_dag(machine, {}, random);
  const des::Result first = des::simulate<TypeParam>(machine, dag);
  const des::Result second = des::simulate<TypeParam>(machine, dag);
  EXPECT_EQ(first.order, second.order);
  EXPECT_EQ(first.ran_on, second.ran_on);
}

TYPED_TEST(EveryPolicy, TakesATaskAgainAfterItLeft) {
  const Machine machine = des::machine(1, {});
  EligibilityTable eligibility(machine);
  TypeParam policy(PolicyEnvironment{machine, eligibility});
  WorkerSet all;
  all.insert(0);
  TaskRecord task;
  task.group = eligibility.intern(all);
  for (task.sequence = 0; task.sequence < 3; ++task.sequence) {
    policy.push(task);
    EXPECT_EQ(policy.size(), 1U);
    EXPECT_EQ(policy.pop(0), &task);
    EXPECT_EQ(policy.pop(0), nullptr);
  }
}

TYPED_TEST(EveryPolicy, IsInTheTable) {
  const auto table = policy_table();
  EXPECT_EQ(std::ranges::count(table, TypeParam::kInfo.name, &PolicyInfo::name), 1);
  EXPECT_FALSE(TypeParam::kInfo.description.empty());
}

}  // namespace
}  // namespace starpath
