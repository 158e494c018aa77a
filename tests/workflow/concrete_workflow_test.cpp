// Stage instances from ready to done, and back when their rank dies.
#include "workflow/concrete_workflow.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace starpath::workflow {
namespace {

const AbstractWorkflow kTwo({{"segmentation", {}, {"labels"}}, {"features", {"labels"}}});

std::optional<StageInstance> instance_of(const std::optional<Handout>& handout) {
  return handout ? std::optional(handout->instance) : std::nullopt;
}
using Instance = std::optional<StageInstance>;
const Instance kNone;

TEST(ConcreteWorkflow, TilesInTheirOrderAndLaterStagesFirst) {
  ConcreteWorkflow workflow(kTwo, {30, 10, 20});
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({30, 0}));
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({10, 0}));
  EXPECT_TRUE(workflow.finished(0, {10, 0}).empty());
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), Instance({10, 1}));
  EXPECT_EQ(workflow.in_hand(0), 2);
  EXPECT_TRUE(workflow.finished(0, {10, 1}).empty()) << "it ran all, so it knows";
  EXPECT_EQ(workflow.in_hand(0), 1);
  EXPECT_EQ(workflow.left(), 2);
  EXPECT_FALSE(workflow.exhausted());
}

TEST(ConcreteWorkflow, AnotherRankIsToldWhereItsInputsAreAndTheKeeperWhenItMayForget) {
  ConcreteWorkflow workflow(kTwo, {7}, 2);
  workflow.hand_out_new(1);
  workflow.finished(1, {7, 0});
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), kNone) << "rank 1 keeps the labels";
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), kNone);
  const auto taken = workflow.hand_out_of(1, 0);
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->elsewhere, (std::vector<InputElsewhere>{{0, 1}}));
  EXPECT_FALSE(workflow.exhausted()) << "it may turn out that the labels are gone";
  EXPECT_EQ(workflow.in_hand(1), 0);
  const auto releases = workflow.finished(0, {7, 1});
  ASSERT_EQ(releases.size(), 1u);
  EXPECT_EQ(releases[0].rank, 1);
  EXPECT_EQ(releases[0].tile, 7);
  EXPECT_EQ(workflow.in_hand(0) + workflow.in_hand(1) + workflow.left(), 0);
  EXPECT_TRUE(workflow.exhausted());
}

TEST(ConcreteWorkflow, ATileThatIsOverNeedsNoMoreStages) {
  ConcreteWorkflow workflow(kTwo, {7});
  workflow.hand_out_new(0);
  workflow.finished(0, {7, 0}, true);
  EXPECT_EQ(workflow.left(), 0);
  EXPECT_TRUE(workflow.exhausted());
}

TEST(ConcreteWorkflow, WhatARankThatDiesHadAndKeptIsComputedAgain) {
  ConcreteWorkflow workflow(kTwo, {1, 2, 3}, 2);
  for (int tile = 0; tile < 3; ++tile) workflow.hand_out_new(1);
  workflow.finished(1, {1, 0});
  workflow.hand_out_kept(1);
  workflow.finished(1, {1, 1});
  workflow.finished(1, {2, 0});
  workflow.lost(1);
  EXPECT_EQ(workflow.in_hand(1), 0);
  EXPECT_EQ(workflow.left(), 2) << "what was finished stays so";
  EXPECT_EQ(instance_of(workflow.hand_out_new(1)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({2, 0})) << "its labels are gone";
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({3, 0}));
}

TEST(ConcreteWorkflow, InputsThatVanishedAreComputedAgain) {
  ConcreteWorkflow workflow(kTwo, {7}, 3);
  workflow.hand_out_new(1);
  workflow.finished(1, {7, 0});
  workflow.hand_out_of(1, 0);
  workflow.vanished(0, {7, 1}, {0});
  EXPECT_EQ(instance_of(workflow.hand_out_kept(1)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_new(2)), Instance({7, 0}));
  workflow.finished(2, {7, 0});
  EXPECT_EQ(instance_of(workflow.hand_out_kept(2)), Instance({7, 1}));
}

TEST(ConcreteWorkflow, InputsOfInputsThatWereReleasedAreComputedAgainToo) {
  const AbstractWorkflow chain({{"a", {}, {"a"}}, {"b", {"a"}, {"b"}}, {"c", {"b"}}});
  ConcreteWorkflow workflow(chain, {7}, 2);
  workflow.hand_out_new(0);
  workflow.finished(0, {7, 0});
  workflow.hand_out_of(0, 1);
  EXPECT_EQ(workflow.finished(1, {7, 1}).size(), 1u) << "rank 0 forgets what a wrote";
  workflow.lost(1);
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({7, 0}));
}

TEST(ConcreteWorkflow, StoppedItBeginsNoTileAndFinishesThoseBegun) {
  ConcreteWorkflow workflow(kTwo, {1, 2, 3});
  workflow.hand_out_new(0);
  workflow.hand_out_new(0);
  workflow.stop();
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), kNone);
  workflow.finished(0, {1, 0});
  workflow.returned(0, {2, 0});
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), kNone) << "what was returned is not begun";
  EXPECT_FALSE(workflow.exhausted());
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), Instance({1, 1}));
  EXPECT_TRUE(workflow.exhausted());
  workflow.finished(0, {1, 1});
  EXPECT_EQ(workflow.left(), 2);
}

TEST(ConcreteWorkflow, RanksGetWhatTheyCanRunAndAStageNeedsOne) {
  ConcreteWorkflow workflow(kTwo, {1, 2}, 2);
  workflow.cannot_run(0, 1);
  EXPECT_TRUE(workflow.stages_nobody_runs().empty());
  workflow.hand_out_new(0);
  workflow.finished(0, {1, 0});
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_beyond(1, 0)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_beyond(0, 1)), Instance({1, 1}));
  workflow.lost(1);
  EXPECT_EQ(workflow.stages_nobody_runs(), std::vector{1});
}

TEST(ConcreteWorkflow, AStageThatNeedsNoDataGoesWhereItsTileIsInWork) {
  const AbstractWorkflow join({{"a", {}, {"a"}}, {"b", {}, {"b"}}, {"c", {"a", "b"}}});
  ConcreteWorkflow workflow(join, {1, 2}, 3);
  workflow.cannot_run(1, 1);
  EXPECT_EQ(instance_of(workflow.hand_out_new(1)), Instance({1, 0}));
  EXPECT_EQ(instance_of(workflow.hand_out_kept(1)), kNone);
  EXPECT_EQ(instance_of(workflow.hand_out_beyond(1, 2)), Instance({1, 1})) << "its rank cannot run it";
  workflow.finished(1, {1, 0});
  workflow.returned(2, {1, 1});
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({2, 0}));
  EXPECT_EQ(instance_of(workflow.hand_out_kept(0)), Instance({2, 1}));
  workflow.lost(1);
  EXPECT_EQ(instance_of(workflow.hand_out_new(2)), Instance({1, 0})) << "no rank has the tile any more";
}

TEST(ConcreteWorkflow, AbandonedItHandsOutNothingAndWaitsForWhatIsFetched) {
  ConcreteWorkflow workflow(kTwo, {1, 2}, 2);
  workflow.hand_out_new(0);
  workflow.finished(0, {1, 0});
  workflow.hand_out_of(0, 1);
  workflow.abandon();
  EXPECT_EQ(instance_of(workflow.hand_out_new(1)), kNone);
  EXPECT_FALSE(workflow.exhausted()) << "rank 1 fetches the labels of tile 1";
  workflow.finished(1, {1, 1}, true);
  EXPECT_TRUE(workflow.exhausted());
  EXPECT_EQ(workflow.left(), 1);
}

TEST(ConcreteWorkflow, AStageThatThereIsNotIsAMismatch) {
  ConcreteWorkflow workflow(kTwo, {1});
  EXPECT_THROW(workflow.cannot_run(0, 2), Error);
  EXPECT_THROW(workflow.finished(0, {1, 2}), Error);
  EXPECT_THROW(workflow.returned(0, {1, -1}), Error);
  EXPECT_THROW(workflow.vanished(0, {1, 1}, {2}), Error);
}

TEST(ConcreteWorkflow, WhatIsLateIsIgnored) {
  ConcreteWorkflow workflow(kTwo, {1}, 2);
  workflow.hand_out_new(1);
  workflow.lost(1);
  EXPECT_TRUE(workflow.finished(1, {1, 0}).empty());
  workflow.returned(1, {1, 0});
  workflow.vanished(1, {1, 0}, {0});
  EXPECT_EQ(instance_of(workflow.hand_out_new(0)), Instance({1, 0}));
}

}  // namespace
}  // namespace starpath::workflow
