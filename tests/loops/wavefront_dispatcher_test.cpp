// Tiles of a wavefront for processors that ask: never before what they need, each once, and nobody waits for ever.
#include "loops/wavefront_dispatcher.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <utility>

#include "loops/schedule_list.hpp"

namespace starpath::loops {
namespace {

const std::vector<Dependency> kFromLeftAndUp = {{1, 0}, {0, 1}};

TEST(WavefrontDispatcher, HoldsReleasesAndEnds) {
  LoopSetup loop{.iterations = 8, .processors = {}};
  loop.processors.assign(2, {.initial_block = 2, .block_factor = 1});
  WavefrontDispatcher dispatcher({.rows = 4, .columns = 2, .stride = 1, .dependencies = kFromLeftAndUp},
                                 make_schedule("gss", loop));
  using Answer = WavefrontDispatcher::Answer;
  Tile first, second;
  EXPECT_EQ(dispatcher.fetch(0, first), Answer::tile);
  EXPECT_EQ(dispatcher.fetch(1, second), Answer::hold);
  dispatcher.finished(0, first, 1);
  EXPECT_EQ(dispatcher.fetch(1, second), Answer::tile);
  dispatcher.give_back(second);
  EXPECT_EQ(dispatcher.left(), 8 - first.iterations());
  dispatcher.close();
  EXPECT_EQ(dispatcher.fetch(1, second), Answer::end);
}

// A processor that is slow on small tiles, and the others.
double time_of(unsigned processor, const Tile& tile) {
  const auto iterations = static_cast<double>(tile.iterations());
  return processor == 0 ? iterations / (0.5 + std::log(iterations)) : iterations;
}

// Times are simulated: processors end in their order. Some tiles fail and are given back, some processors retire.
TEST(WavefrontDispatcher, RunsEachIterationOnceInOrderBesideAnAcceleratorAndFailures) {
  std::size_t wide = 0;
  for (unsigned seed = 1; seed <= 60; ++seed) {
    std::mt19937 random(seed);
    const std::size_t rows = 100 + random() % 300, columns = 50 + random() % 400, stride = 1 + random() % 12;
    const auto processors = static_cast<unsigned>(2 + random() % 6);
    LoopSetup loop{.iterations = rows * columns, .processors = {}};
    loop.processors.assign(processors, {.initial_block = 4, .block_factor = 1});
    WavefrontDispatcher dispatcher({rows, columns, stride, {{1, 0}, {0, 1}, {1, 1}}}, make_schedule("hdss", loop),
                                   Lanes::on);
    std::vector<unsigned> value(rows * columns, 0);
    const auto run = [&](const Tile& tile) {
      for (std::size_t i = tile.row; i < tile.row + tile.rows; ++i)
        for (std::size_t j = tile.column; j < tile.column + tile.columns; ++j) {
          ASSERT_EQ(value[i * columns + j], 0U) << "twice, seed " << seed;
          ASSERT_TRUE(i == 0 || value[(i - 1) * columns + j] == 1) << "too early, seed " << seed;
          ASSERT_TRUE(j == 0 || value[i * columns + j - 1] == 1) << "too early, seed " << seed;
          value[i * columns + j] = 1;
        }
    };
    struct Busy {
      double until = 0;
      Tile tile;
      bool gone = false;
    };
    std::vector<Busy> busy(processors);
    double now = 0;
    const auto ask = [&](unsigned p) {
      if (busy[p].gone || busy[p].tile) return;
      if (dispatcher.fetch(p, busy[p].tile) == WavefrontDispatcher::Answer::tile) {
        busy[p].until = now + time_of(p, busy[p].tile);
        if (busy[p].tile.columns > stride) ++wide;
      }
    };
    while (true) {
      for (unsigned p = 0; p < processors; ++p) ask(p);
      unsigned next = processors;
      for (unsigned p = 0; p < processors; ++p)
        if (busy[p].tile && (next == processors || busy[p].until < busy[next].until)) next = p;
      if (next == processors) break;
      const Tile tile = std::exchange(busy[next].tile, Tile{});
      now = busy[next].until;
      if (random() % 50 == 0) {
        dispatcher.give_back(tile);
        if (random() % 4 == 0 && std::ranges::count_if(busy, [](const Busy& b) { return !b.gone; }) > 1) {
          busy[next].gone = true;
          dispatcher.retire(next);
        }
        continue;
      }
      run(tile);
      if (HasFatalFailure()) return;
      dispatcher.finished(next, tile, time_of(next, tile));
    }
    EXPECT_EQ(dispatcher.left(), 0U) << "seed " << seed;
    EXPECT_EQ(std::ranges::count(value, 1U), static_cast<long>(rows * columns)) << "seed " << seed;
  }
  EXPECT_GT(wide, 100U) << "tiles of a lane";
}

TEST(WavefrontDispatcher, WithoutLanesEveryTileIsOfOneStride) {
  constexpr std::size_t rows = 400, columns = 400;
  LoopSetup loop{.iterations = rows * columns, .processors = {}};
  loop.processors.assign(3, {.initial_block = 4, .block_factor = 1});
  WavefrontDispatcher dispatcher({rows, columns, 10, kFromLeftAndUp}, make_schedule("hdss", loop));
  for (Tile tile; dispatcher.fetch(0, tile) == WavefrontDispatcher::Answer::tile;) {
    EXPECT_LE(tile.columns, 10U);
    dispatcher.finished(0, tile, time_of(0, tile));
  }
  EXPECT_EQ(dispatcher.left(), 0U);
}

TEST(WavefrontDispatcher, NobodyWaitsForAnOwnerThatNeverComesAgain) {
  constexpr std::size_t rows = 400, columns = 400;
  LoopSetup loop{.iterations = rows * columns, .processors = {}};
  loop.processors.assign(3, {.initial_block = 4, .block_factor = 1});
  WavefrontDispatcher dispatcher({rows, columns, 10, kFromLeftAndUp}, make_schedule("hdss", loop), Lanes::on);
  bool wide = false;
  for (Tile tile; !wide && dispatcher.fetch(0, tile) == WavefrontDispatcher::Answer::tile;) {
    wide = tile.columns > 10;
    dispatcher.finished(0, tile, time_of(0, tile));
    if (dispatcher.fetch(1, tile) == WavefrontDispatcher::Answer::tile) dispatcher.finished(1, tile, time_of(1, tile));
  }
  ASSERT_TRUE(wide) << "the first has no lane";
  for (Tile tile; dispatcher.fetch(1, tile) == WavefrontDispatcher::Answer::tile;)
    dispatcher.finished(1, tile, time_of(1, tile));
  EXPECT_EQ(dispatcher.left(), 0U);
}

TEST(WavefrontDispatcher, RunsEachIterationOnceInOrderWithThreads) {
  constexpr std::size_t rows = 200, columns = 60;
  constexpr unsigned threads = 4;
  LoopSetup loop{.iterations = rows * columns, .processors = {}};
  loop.processors.resize(threads);
  for (const ScheduleName& schedule : schedule_names()) {
    if (std::string(schedule.name) == "static") continue;  // shares of the loop, not of what is ready
    WavefrontDispatcher dispatcher({rows, columns, 7, kFromLeftAndUp}, make_schedule(schedule.name, loop));
    // Counts paths: wrong at once when an iteration runs twice, never, or before its neighbours.
    std::vector<unsigned> value(rows * columns, 0);
    std::vector<std::jthread> team;
    for (unsigned p = 0; p < threads; ++p)
      team.emplace_back([&, p] {
        for (Tile tile;;) {
          const auto answer = dispatcher.fetch(p, tile);
          if (answer == WavefrontDispatcher::Answer::end) break;
          if (answer == WavefrontDispatcher::Answer::hold) {
            std::this_thread::yield();
            continue;
          }
          for (std::size_t i = tile.row; i < tile.row + tile.rows; ++i)
            for (std::size_t j = tile.column; j < tile.column + tile.columns; ++j)
              value[i * columns + j] +=
                  1 + (i > 0 ? value[(i - 1) * columns + j] : 0) + (j > 0 ? value[i * columns + j - 1] : 0);
          dispatcher.finished(p, tile, time_of(p, tile));
        }
      });
    team.clear();
    std::vector<unsigned> expected(rows * columns, 0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j < columns; ++j)
        expected[i * columns + j] =
            1 + (i > 0 ? expected[(i - 1) * columns + j] : 0) + (j > 0 ? expected[i * columns + j - 1] : 0);
    EXPECT_EQ(value, expected) << schedule.name;
  }
}

}  // namespace
}  // namespace starpath::loops
