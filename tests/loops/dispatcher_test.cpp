// Each iteration exactly once, whatever the schedule, the rates, the failures and the threads.
#include "loops/dispatcher.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <thread>

#include "loops/schedule_list.hpp"

namespace starpath::loops {
namespace {

LoopSetup loop_of(std::size_t iterations, std::size_t processors, std::size_t initial = 0) {
  LoopSetup setup{.iterations = iterations, .processors = {}};
  setup.processors.assign(processors, {.initial_block = initial});
  return setup;
}

class EverySchedule : public testing::TestWithParam<const char*> {
 protected:
  static Dispatcher make(const LoopSetup& setup) {
    return Dispatcher(setup.iterations, make_schedule(GetParam(), setup));
  }
};

// Runs processors in random order with random times (also 0, infinite, NaN); gives some blocks back, retires some
// processors.
void run_randomly(Dispatcher& dispatcher, unsigned processors, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<unsigned> runs(dispatcher.iterations(), 0);
  std::vector<unsigned> live(processors);
  for (unsigned p = 0; p < processors; ++p) live[p] = p;
  const double odd_times[] = {0, -1, std::numeric_limits<double>::infinity(), std::nan("")};
  std::vector<bool> idle(processors, false);
  for (std::size_t idle_count = 0; idle_count < live.size();) {
    const std::size_t at = random() % live.size();
    const unsigned p = live[at];
    const Block block = dispatcher.fetch(p);
    if (!block) {
      if (!idle[p]) ++idle_count;
      idle[p] = true;
      continue;
    }
    ASSERT_LE(block.end(), dispatcher.iterations()) << "seed " << seed;
    const auto fate = static_cast<unsigned>(random() % 20);
    if (fate == 0) {
      dispatcher.give_back(block);
      if (live.size() > 1) {
        dispatcher.retire(p);
        if (idle[p]) --idle_count;
        live.erase(live.begin() + static_cast<std::ptrdiff_t>(at));
      }
      for (const unsigned other : live) idle[other] = false;
      idle_count = 0;
      continue;
    }
    for (std::size_t i = block.begin; i < block.end(); ++i) ++runs[i];
    const double rate = (1.0 + p) * (0.5 + 0.001 * static_cast<double>(random() % 1000));
    dispatcher.finished(p, block, fate == 1 ? odd_times[random() % 4] : static_cast<double>(block.size) / rate);
  }
  for (std::size_t i = 0; i < runs.size(); ++i) ASSERT_EQ(runs[i], 1U) << "iteration " << i << ", seed " << seed;
  EXPECT_EQ(dispatcher.left(), 0U);
}

TEST_P(EverySchedule, RunsEachIterationOnceAtRandomRatesWithFailingBlocks) {
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t iterations = random() % 30000;
    const auto processors = static_cast<unsigned>(1 + random() % 9);
    Dispatcher dispatcher = make(loop_of(iterations, processors, random() % 300));
    run_randomly(dispatcher, processors, seed);
    if (HasFatalFailure()) return;
  }
}

TEST_P(EverySchedule, TakesLoopsOfAnySize) {
  for (const std::size_t iterations : {0, 1, 2, 3, 100, 127, 128, 129})
    for (const unsigned processors : {1U, 2U, 64U, 200U}) {
      Dispatcher dispatcher = make(loop_of(iterations, processors));
      run_randomly(dispatcher, processors, 7);
      Dispatcher large_blocks = make(loop_of(iterations, processors, 1000000));
      run_randomly(large_blocks, processors, 7);
      if (HasFatalFailure()) return;
    }
}

TEST_P(EverySchedule, RunsEachIterationOnceWithThreads) {
  constexpr unsigned threads = 8;
  constexpr std::size_t iterations = 200000;
  Dispatcher dispatcher = make(loop_of(iterations, threads, 16));
  std::vector<std::atomic<unsigned>> runs(iterations);
  std::vector<std::jthread> team;
  for (unsigned p = 0; p < threads; ++p)
    team.emplace_back([&, p] {
      while (const Block block = dispatcher.fetch(p)) {
        for (std::size_t i = block.begin; i < block.end(); ++i) ++runs[i];
        dispatcher.finished(p, block, static_cast<double>(block.size) / (1.0 + p));
      }
    });
  team.clear();
  for (std::size_t i = 0; i < iterations; ++i) ASSERT_EQ(runs[i], 1U) << i;
}

TEST_P(EverySchedule, GivesNothingOnceClosed) {
  Dispatcher dispatcher = make(loop_of(1000, 2));
  const Block block = dispatcher.fetch(0);
  EXPECT_TRUE(block);
  dispatcher.close();
  dispatcher.give_back(block);
  EXPECT_FALSE(dispatcher.fetch(0));
  EXPECT_FALSE(dispatcher.fetch(1));
  EXPECT_EQ(dispatcher.left(), 1000U);
}

TEST_P(EverySchedule, RefusesWhatMakesNoSense) {
  EXPECT_THROW(make(loop_of(10, 0)), std::invalid_argument);
  EXPECT_THROW(make(loop_of(std::numeric_limits<std::size_t>::max(), 1)), std::invalid_argument);
  LoopSetup setup = loop_of(10, 1);
  setup.max_adaptive = 1.5;
  EXPECT_THROW(make(setup), std::invalid_argument);
  setup = loop_of(10, 1);
  setup.min_change_rate = 0;
  EXPECT_THROW(make(setup), std::invalid_argument);
}

INSTANTIATE_TEST_SUITE_P(Schedules, EverySchedule, testing::Values("hdss", "gss", "static", "linear", "exponential"),
                         [](const auto& chosen) { return std::string(chosen.param); });

TEST(MakeSchedule, NamesTheKnownOnes) {
  for (const ScheduleName& name : schedule_names()) EXPECT_TRUE(make_schedule(name.name, loop_of(10, 1)));
  try {
    make_schedule("fastest", loop_of(10, 1));
    FAIL() << "an unknown schedule was made";
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "unknown schedule: fastest; there are: hdss, gss, static, linear, exponential");
  }
}

TEST(RoundedBlock, IsAMultipleWithinWhatIsThere) {
  EXPECT_EQ(rounded_block(300, 128, 1000), 256U);
  EXPECT_EQ(rounded_block(5, 128, 1000), 128U);
  EXPECT_EQ(rounded_block(5, 128, 100), 100U);
  EXPECT_EQ(rounded_block(5000, 128, 1000), 1000U);
  EXPECT_EQ(rounded_block(0, 1, 1000), 1U);
  EXPECT_EQ(rounded_block(std::nan(""), 8, 1000), 8U);
  EXPECT_EQ(rounded_block(std::numeric_limits<double>::infinity(), 8, 1000), 1000U);
}

}  // namespace
}  // namespace starpath::loops
