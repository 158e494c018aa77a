// Who gets which data of another rank, and what late answers do.
#include "mpi/job/data_exchange.hpp"

#include <gtest/gtest.h>

#include <vector>

namespace starpath::mpi {
namespace {

/// A run that is asked for what it keeps, and answers when the test does.
struct Listener : TileSink {
  void give(std::vector<GivenInstance>) override {}
  void drop() override {}
  void no_more() override {}
  void done_elsewhere(const TileDone&) override {}
  void over(bool) override {}
  void forget(std::int64_t) override {}
  void hand_over(const StageInstance&, int) override { ++asked; }

  int asked = 0;
};

class DataExchangeTest : public testing::Test {
 protected:
  DataExchangeTest() { link_.connect(run_); }

  Listener run_;
  RunLink link_;
  std::vector<std::pair<int, DataMessage>> sent_;
  std::vector<GivenInstance> complete_;
  std::vector<StageInstance> vanished_;
  DataExchange data_{link_, [this](int to, const DataMessage& message) { sent_.emplace_back(to, message); },
                     [this](GivenInstance instance) { complete_.push_back(std::move(instance)); },
                     [this](const StageInstance& instance, const std::vector<int>&) { vanished_.push_back(instance); }};
};

TEST_F(DataExchangeTest, ARankThatWantsTheSameForTwoStagesIsAnsweredTwice) {
  for (int stage = 0; stage < 2; ++stage) data_.receive(1, {DataPhase::wanted, {7, 0}});
  EXPECT_EQ(run_.asked, 2);
  for (int stage = 0; stage < 2; ++stage) data_.answer({7, 0}, 1, "labels");
  EXPECT_EQ(sent_.size(), 2u);
  data_.answer({7, 0}, 1, "labels");
  EXPECT_EQ(sent_.size(), 2u) << "nobody waits for it";
}

TEST_F(DataExchangeTest, TwoStagesThatFetchTheSameEachGetIt) {
  for (const int stage : {1, 2}) data_.fetch({{7, stage}, false, {{0, 3}}});
  EXPECT_EQ(sent_.size(), 2u);
  for (int stage = 0; stage < 2; ++stage) data_.receive(3, {DataPhase::here, {7, 0}, "labels"});
  ASSERT_EQ(complete_.size(), 2u);
  EXPECT_NE(complete_[0].instance, complete_[1].instance);
}

TEST_F(DataExchangeTest, ALateAnswerOfARankThatIsLostCancelsNothing) {
  data_.fetch({{7, 1}, false, {{0, 3}}});
  data_.lost(3);
  EXPECT_EQ(vanished_.size(), 1u);
  data_.fetch({{7, 1}, false, {{0, 2}}});  // computed again elsewhere
  data_.receive(3, {DataPhase::gone, {7, 0}});
  EXPECT_EQ(vanished_.size(), 1u);
  data_.receive(2, {DataPhase::here, {7, 0}, "labels"});
  ASSERT_EQ(complete_.size(), 1u);
  EXPECT_EQ(complete_[0].inputs[0].bytes, "labels");
}

}  // namespace
}  // namespace starpath::mpi
