// Block sizes of HDSS, and its lanes, by hand.
#include "loops/hdss.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "loops/dispatcher.hpp"
#include "loops/lane_plan.hpp"
#include "tests/loops/setups.hpp"

namespace starpath::loops {
namespace {

// A loop of one schedule in the hands of a test.
struct Loop {
  explicit Loop(const LoopSetup& setup)
      : hdss(new Hdss(setup)), dispatcher(setup.iterations, std::unique_ptr<Schedule>(hdss)) {}

  // The size of the processor's next block, run at that rate.
  std::size_t step(unsigned processor, double rate) {
    const Block block = dispatcher.fetch(processor);
    dispatcher.finished(processor, block, static_cast<double>(block.size) / rate);
    return block.size;
  }

  Hdss* hdss;
  Dispatcher dispatcher;
};

TEST(LogFit, FindsTheCurve) {
  LogFit fit;
  EXPECT_EQ(fit.curve().a, 0);
  for (const double x : {128.0, 256.0, 512.0, 1024.0}) fit.add(x, 3 * std::log(x) - 2);
  EXPECT_EQ(fit.points(), 4U);
  EXPECT_NEAR(fit.curve().a, 3, 1e-9);
  EXPECT_NEAR(fit.curve().b, -2, 1e-9);
  EXPECT_NEAR(fit.curve().at(1e6), 3 * std::log(1e6) - 2, 1e-9);
}

TEST(LogFit, IsFlatOverEqualSizes) {
  LogFit fit;
  fit.add(128, 1);
  fit.add(128, 2);
  EXPECT_EQ(fit.curve().a, 0);
  EXPECT_EQ(fit.curve().b, 1.5);
}

TEST(Hdss, SecondEqualRateIsStable) {
  Loop loop(setup_of(kMillion, 2, 128));
  EXPECT_EQ(loop.step(0, 1.5), 128U);
  EXPECT_FALSE(loop.hdss->stable(0));
  EXPECT_EQ(loop.step(0, 1.505), 256U);
  EXPECT_TRUE(loop.hdss->stable(0));
  EXPECT_EQ(loop.step(0, 1.5), 256U) << "a stable processor keeps its block while others learn";
}

TEST(Hdss, FitsACurveAfterFourPointsAndJumps) {
  Loop loop(setup_of(100 * kMillion, 2, 1024));
  loop.step(1, 1);
  loop.step(1, 1);
  const auto rate = [](double x) { return 10 * std::log(x) - 60; };
  for (const std::size_t size : {1024U, 2048U, 4096U, 8192U})
    EXPECT_EQ(loop.step(0, rate(static_cast<double>(size))), size);
  EXPECT_FALSE(loop.hdss->stable(0));
  EXPECT_EQ(loop.step(0, rate(8192000)), 8192000U) << "as in the paper's Figure 12";
  EXPECT_TRUE(loop.hdss->stable(0)) << "the rate is what the curve foretold";
  EXPECT_NEAR(loop.hdss->weight(0), rate(8192000), 1e-9);
}

TEST(Hdss, JumpsAsFarAsIsAsked) {
  LoopSetup setup = setup_of(100 * kMillion, 2, 1024);
  setup.growth = 100;
  Loop loop(setup);
  loop.step(1, 1);
  loop.step(1, 1);
  for (const double size : {1024.0, 2048.0, 4096.0, 8192.0}) loop.step(0, 10 * std::log(size) - 60);
  EXPECT_EQ(loop.step(0, 76), 819200U);
  for (const double growth : {1.0, 0.5, std::nan(""), std::numeric_limits<double>::infinity()}) {
    setup.growth = growth;
    EXPECT_THROW(Hdss{setup}, std::invalid_argument) << growth;
  }
}

TEST(Hdss, TellsAcceleratorsFromOthers) {
  Loop loop(setup_of(100 * kMillion, 2, 1024));
  loop.step(1, 1);
  loop.step(1, 1);
  const auto rate = [](double x) { return 10 * std::log(x) - 60; };
  for (const std::size_t size : {1024U, 2048U, 4096U, 8192U}) {
    EXPECT_EQ(loop.hdss->large_blocks(0).block, 0U) << "unknown";
    loop.step(0, rate(static_cast<double>(size)));
  }
  const LargeBlocks large = loop.hdss->large_blocks(0);
  EXPECT_EQ(large.block, 819200U);
  EXPECT_NEAR(large.share, rate(819200) / (rate(819200) + 1), 1e-9) << "as the curve foretells";
  EXPECT_EQ(loop.hdss->large_blocks(1).block, 0U) << "any block will do";
  loop.step(0, rate(8192000));
  EXPECT_EQ(loop.hdss->large_blocks(0).block, 819200U);
  loop.dispatcher.retire(0);
  EXPECT_EQ(loop.hdss->large_blocks(0).block, 0U);
}

TEST(Hdss, TheSameBlockAgainProvesNothing) {
  Hdss hdss(setup_of(kMillion, 2, 128));
  for (int i = 0; i < 3; ++i) {
    hdss.taken(0, 100);
    hdss.finished(0, 100, 100);
    EXPECT_FALSE(hdss.stable(0));
  }
  hdss.taken(0, 200);
  hdss.finished(0, 200, 200);
  EXPECT_TRUE(hdss.stable(0));
}

TEST(Hdss, AdaptiveBlocksAreSmallBesideWhatIsAvailable) {
  Loop loop(setup_of(100 * kMillion, 2, 1024));
  loop.step(1, 1);
  loop.step(1, 1);
  const auto rate = [](double x) { return 10 * std::log(x) - 60; };
  for (const std::size_t size : {1024U, 2048U, 4096U, 8192U}) loop.step(0, rate(static_cast<double>(size)));
  const std::size_t left = loop.dispatcher.left();
  EXPECT_EQ(loop.hdss->size(0, left, left), 8192000U);
  const double share = loop.hdss->weight(0) / (loop.hdss->weight(0) + 1);
  EXPECT_EQ(loop.hdss->size(0, left, 100000), static_cast<std::size_t>(0.2 * 100000 * share))
      << "of a wavefront, on which others wait";
  EXPECT_EQ(loop.hdss->size(0, left, 10000), 8192U) << "but never smaller than the last";
}

TEST(Hdss, EndsTheAdaptivePhaseAtItsShareOfTheLoop) {
  Loop loop(setup_of(10000, 2, 100));
  EXPECT_TRUE(loop.hdss->adaptive(8001));
  EXPECT_FALSE(loop.hdss->adaptive(8000));
  EXPECT_FALSE(loop.hdss->adaptive(0));
}

TEST(Hdss, DividesTheRestByWeight) {
  Loop loop(setup_of(kMillion, 2, 128));
  for (int i = 0; i < 2; ++i) {
    loop.step(0, 3);
    loop.step(1, 1);
  }
  const std::size_t left = loop.dispatcher.left();
  EXPECT_EQ(loop.dispatcher.fetch(0).size, left * 3 / 4);
  EXPECT_EQ(loop.dispatcher.fetch(1).size, (left - left * 3 / 4) / 4);
}

TEST(Hdss, RoundsToTheFactor) {
  LoopSetup setup = setup_of(kMillion, 1, 128);
  setup.processors = {{.initial_block = 100, .block_factor = 64}, {.initial_block = 1, .block_factor = 7}};
  Loop loop(setup);
  EXPECT_EQ(loop.step(0, 1), 64U);
  EXPECT_EQ(loop.step(1, 1), 7U);
  for (int i = 0; i < 20; ++i) EXPECT_EQ(loop.step(1, 2 + i) % 7, 0U);
}

TEST(Hdss, BlocksThatTookNoTimeMeasureNothing) {
  Loop loop(setup_of(kMillion, 2, 128));
  const Block block = loop.dispatcher.fetch(0);
  for (const double time : {0.0, -1.0, std::numeric_limits<double>::infinity(), std::nan(""), 1e-320})
    loop.dispatcher.finished(0, block, time);
  EXPECT_EQ(loop.hdss->weight(0), 0);
  EXPECT_EQ(loop.dispatcher.fetch(0).size, 256U) << "blocks grow until they can be measured";
}

TEST(Hdss, AProcessorWithoutAWeightCountsAsTheMeanOfTheOthers) {
  LoopSetup setup = setup_of(kMillion, 2, 128);
  setup.max_adaptive = 0;  // completion phase at once
  Loop loop(setup);
  EXPECT_EQ(loop.step(0, 5), 128U);
  EXPECT_EQ(loop.step(0, 5), (kMillion - 128) / 2);
}

TEST(Hdss, ARetiredProcessorHasNoShare) {
  Loop loop(setup_of(kMillion, 2, 128));
  for (int i = 0; i < 2; ++i) {
    loop.step(0, 3);
    loop.step(1, 1);
  }
  loop.dispatcher.retire(1);
  loop.dispatcher.retire(1);
  const std::size_t left = loop.dispatcher.left();
  EXPECT_EQ(loop.dispatcher.fetch(0).size, left);
}

TEST(Hdss, AKnownRateMakesTheAdaptivePhaseShorter) {
  const auto gpu = [](double x) { return 10 * std::log(x) - 60; };
  const auto blocks = [&](double known) {
    LoopSetup setup = setup_of(100 * kMillion, 2, 1024);
    setup.processors[0].known_rate = known;
    setup.processors[1].known_rate = known > 0 ? 1 : 0;
    Loop loop(setup);
    int count = 0;
    while (loop.hdss->adaptive(loop.dispatcher.left())) {
      const Block first = loop.dispatcher.fetch(0);
      loop.dispatcher.finished(0, first, static_cast<double>(first.size) / gpu(static_cast<double>(first.size)));
      loop.step(1, 1);
      count += 2;
    }
    return count;
  };
  EXPECT_EQ(blocks(gpu(19e6)), 2);
  EXPECT_EQ(blocks(0), 10);
}

TEST(Hdss, AWrongKnownRateIsCorrected) {
  LoopSetup setup = setup_of(100 * kMillion, 2, 1024);
  setup.processors[0].known_rate = 100;
  setup.processors[1].known_rate = 100;
  Loop loop(setup);
  for (int i = 0; i < 8; ++i) {
    loop.step(0, 100);
    loop.step(1, 1);
  }
  EXPECT_NEAR(loop.hdss->weight(0), 100, 1e-6);
  EXPECT_NEAR(loop.hdss->weight(1), 1, 1e-6);
}

TEST(LanePlan, GivesTheOwnerItsPartButForABlock) {
  const LaneOutlook outlook{.large = {.block = 1000, .share = 0.5}, .left = 100'000, .rows_left = 100, .enabled = 0};
  EXPECT_DOUBLE_EQ(lane_columns(outlook), (50'000 - 1000) / 100.0);
  EXPECT_TRUE(worth_a_lane(outlook, 7999)) << "a stride is not eight large blocks";
  EXPECT_FALSE(worth_a_lane(outlook, 8000));
  LaneOutlook end = outlook;
  end.left = 7999;
  EXPECT_FALSE(worth_a_lane(end, 100)) << "less than four blocks are its own";
}

TEST(LanePlan, ATileLastsAsLongAsTheOthersAreBusy) {
  LaneOutlook outlook{.large = {.block = 1000, .share = 0.25}, .left = 100'000, .rows_left = 100, .enabled = 6000};
  EXPECT_DOUBLE_EQ(lane_tile(outlook), 2000);
  outlook.enabled = 0;
  EXPECT_DOUBLE_EQ(lane_tile(outlook), 0.03 * 0.25 * 25'000) << "the first";
  outlook.left = 1000;
  EXPECT_DOUBLE_EQ(lane_tile(outlook), 30) << "the last";
  outlook.enabled = 1e9;
  EXPECT_DOUBLE_EQ(lane_tile(outlook), 8000) << "larger blocks gain nothing";
  outlook.large.share = 1;
  EXPECT_DOUBLE_EQ(lane_tile(outlook), 8000) << "nobody else is there";
  EXPECT_TRUE(worth_a_tile(outlook.large, 20));
  EXPECT_FALSE(worth_a_tile(outlook.large, 19));
}

}  // namespace
}  // namespace starpath::loops
