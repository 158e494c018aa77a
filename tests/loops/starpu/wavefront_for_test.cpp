// Dependent loops on real StarPU workers.
#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <stdexcept>
#include <thread>
#include <tuple>
#include <vector>

#include "base/error.hpp"
#include "loops/schedule_list.hpp"
#include "loops/starpu/parallel_for.hpp"
#include "tests/loops/starpu/workers.hpp"

namespace starpath {
namespace {

class WavefrontFor : public WithWorkers<4> {};

/// Counts with one row and one column of border in front.
struct Counts {
  Counts(std::size_t rows, std::size_t columns) : height(rows + 1), width(columns + 1), values(height * width, 1) {
    starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(width), static_cast<std::uint32_t>(width),
                                static_cast<std::uint32_t>(height), sizeof(std::uint64_t));
  }
  ~Counts() { release(); }
  Counts(const Counts&) = delete;
  Counts& operator=(const Counts&) = delete;
  void release() {
    if (handle) starpu_data_unregister(handle);
    handle = nullptr;
  }
  std::vector<TileData> data() const {
    return {{.handle = handle, .mode = STARPU_W, .row = 1, .column = 1},
            {.handle = handle, .part = TilePart::above, .margin = {.above = 1, .left = 1}, .row = 1, .column = 1},
            {.handle = handle, .part = TilePart::left, .margin = {.left = 1}, .row = 1, .column = 1}};
  }

  std::size_t height, width;
  std::vector<std::uint64_t> values;
  starpu_data_handle_t handle = nullptr;
};

std::uint64_t& element(void* buffer, std::size_t row, std::size_t column) {
  return reinterpret_cast<std::uint64_t*>(STARPU_MATRIX_GET_PTR(buffer))[row * STARPU_MATRIX_GET_LD(buffer) + column];
}

// Ways from the corner, and a mix that tells rows from columns: wrong at once when a tile runs twice, never or early.
std::uint64_t mix(std::uint64_t diagonal, std::uint64_t above, std::uint64_t left) {
  return diagonal + 3 * above + 5 * left + 1;
}

void count(void* buffers[], void* arg) {
  const auto& block = *static_cast<const LoopTile*>(arg);
  const std::size_t rows = STARPU_MATRIX_GET_NY(buffers[0]), columns = STARPU_MATRIX_GET_NX(buffers[0]);
  if (rows != block.tile.rows || columns != block.tile.columns) throw std::logic_error("a part of another size");
  for (std::size_t i = 0; i < rows; ++i)
    for (std::size_t j = 0; j < columns; ++j) {
      const std::uint64_t above = i > 0 ? element(buffers[0], i - 1, j) : element(buffers[1], 0, j + 1);
      const std::uint64_t left = j > 0 ? element(buffers[0], i, j - 1) : element(buffers[2], i, 0);
      const std::uint64_t diagonal = i == 0  ? element(buffers[1], 0, j)
                                     : j > 0 ? element(buffers[0], i - 1, j - 1)
                                             : element(buffers[2], i - 1, 0);
      element(buffers[0], i, j) = mix(diagonal, above, left);
    }
}

std::vector<std::uint64_t> serial(std::size_t rows, std::size_t columns) {
  std::vector<std::uint64_t> values((rows + 1) * (columns + 1), 1);
  const auto at = [&](std::size_t i, std::size_t j) -> std::uint64_t& { return values[i * (columns + 1) + j]; };
  for (std::size_t i = 1; i <= rows; ++i)
    for (std::size_t j = 1; j <= columns; ++j) at(i, j) = mix(at(i - 1, j - 1), at(i - 1, j), at(i, j - 1));
  return values;
}

loops::WavefrontSetup wave(std::size_t rows, std::size_t columns, std::size_t stride = 0) {
  return {.rows = rows, .columns = columns, .stride = stride, .dependencies = {{1, 0}, {0, 1}, {1, 1}}};
}

TEST_F(WavefrontFor, GivesTheSerialResultUnderEverySchedule) {
  for (const loops::ScheduleName& schedule : loops::schedule_names()) {
    if (std::string(schedule.name) == "static") continue;
    for (const auto& [rows, columns, stride] :
         {std::tuple{1U, 1U, 0U}, {1U, 50U, 7U}, {50U, 1U, 7U}, {200U, 333U, 0U}, {301U, 64U, 5U}}) {
      Counts counts(rows, columns);
      const LoopReport report = wavefront_for(wave(rows, columns, stride), cpu_codelet(count, "count"), counts.data(),
                                              {.schedule = schedule.name});
      counts.release();
      EXPECT_EQ(counts.values, serial(rows, columns)) << schedule.name << ", " << rows << " x " << columns;
      std::size_t done = 0;
      for (const LoopShare& share : report.shares) done += share.iterations;
      EXPECT_EQ(done, std::size_t{rows} * columns);
    }
  }
}

// Worker 0 is slow on small tiles and fast on large ones, as accelerators are, so that it gets tiles over several
// strides.
std::atomic<std::size_t> widest{0};
void counts_like_an_accelerator(void* buffers[], void* arg) {
  const auto& tile = static_cast<const LoopTile*>(arg)->tile;
  const auto begin = std::chrono::steady_clock::now();
  count(buffers, arg);
  const auto iterations = static_cast<double>(tile.iterations());
  double rate = 0.5;  // a microsecond
  if (starpu_worker_get_id() == 0) {
    rate = 0.2 + 0.4 * std::log(std::max(1.0, iterations / 40));
    for (std::size_t seen = widest; seen < tile.columns && !widest.compare_exchange_weak(seen, tile.columns);) {
    }
  }
  std::this_thread::sleep_until(begin + std::chrono::microseconds(std::llround(iterations / rate)));
}

TEST_F(WavefrontFor, GivesTheSerialResultBesideAnAccelerator) {
  constexpr std::size_t rows = 600, columns = 700;
  Counts counts(rows, columns);
  const LoopReport report = wavefront_for(wave(rows, columns, 20), cpu_codelet(counts_like_an_accelerator, "count"),
                                          counts.data(), {.initial_block = 40, .block_factor = 1, .lanes = true});
  counts.release();
  EXPECT_EQ(counts.values, serial(rows, columns));
  std::size_t done = 0;
  for (const LoopShare& share : report.shares) done += share.iterations;
  EXPECT_EQ(done, rows * columns);
  RecordProperty("widest_tile", static_cast<int>(widest));
}

TEST_F(WavefrontFor, DividesColumnsIntoTwoAndRowsIntoEightTilesAWorkerByDefault) {
  Counts counts(480, 640);
  const LoopReport report = wavefront_for(wave(480, 640), cpu_codelet(count, "count"), counts.data());
  std::size_t tiles = 0;
  for (const LoopShare& share : report.shares) tiles += share.blocks;
  EXPECT_GE(tiles, 8U) << "a stride each at least";
  EXPECT_LE(tiles, 8U * 32U) << "those that were ready together may have been one";
}

TEST_F(WavefrontFor, RunsNothingWithoutRows) {
  Counts counts(3, 3);
  EXPECT_EQ(wavefront_for(wave(0, 3), cpu_codelet(count, "count"), counts.data()).microseconds, 0);
  EXPECT_EQ(wavefront_for(wave(3, 0), cpu_codelet(count, "count"), counts.data()).microseconds, 0);
  counts.release();
  EXPECT_EQ(counts.values, std::vector<std::uint64_t>(16, 1));
}

void fails_in_the_middle(void* buffers[], void* arg) {
  const auto& tile = static_cast<const LoopTile*>(arg)->tile;
  if (tile.column <= 40 && 40 < tile.column + tile.columns && tile.row <= 40 && 40 < tile.row + tile.rows)
    throw std::runtime_error("(40, 40) is bad");
  count(buffers, arg);
}

TEST_F(WavefrontFor, EndsWhenTheCodeletThrows) {
  Counts counts(100, 100);
  try {
    wavefront_for(wave(100, 100), cpu_codelet(fails_in_the_middle, "count"), counts.data());
    FAIL() << "the failure was lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::runtime);
    EXPECT_NE(std::string(error.what()).find("loop count: rows "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("(40, 40) is bad"), std::string::npos) << error.what();
  }
  counts.release();
  const auto expected = serial(100, 100);
  EXPECT_EQ(counts.values[101 * 41 + 41], 1U) << "what failed wrote nothing";
  EXPECT_EQ(counts.values[101 * 100 + 100], 1U) << "and what needs it did not run";
  EXPECT_EQ(counts.values[102], expected[102]);
}

TEST_F(WavefrontFor, OthersTakeWhatAWorkerLeaves) {
  Counts counts(300, 300);
  Loop loop(wave(300, 300), cpu_codelet(count, "count"), counts.data());
  loop.leave(1);
  loop.leave(0);
  loop.wait();
  counts.release();
  EXPECT_EQ(counts.values, serial(300, 300));
}

std::atomic<bool> may_count{false};
void waits_to_count(void* buffers[], void* arg) {
  may_count.wait(false);
  count(buffers, arg);
}

TEST_F(WavefrontFor, OthersTakeWhatAWorkerThatVanishesFromTheContextLeaves) {
  Counts counts(300, 300);
  SchedulingContext context({0, 1, 2});
  may_count = false;
  Loop loop(wave(300, 300), cpu_codelet(waits_to_count, "waits_to_count"), counts.data());
  context.remove(0);
  may_count = true;
  may_count.notify_all();
  loop.wait();
  counts.release();
  EXPECT_EQ(counts.values, serial(300, 300));
}

TEST_F(WavefrontFor, RunsBesideOtherLoops) {
  Counts first(150, 200), second(220, 90);
  Loop one(wave(150, 200), cpu_codelet(count, "count"), first.data());
  Loop other(wave(220, 90, 10), cpu_codelet(count, "count"), second.data(), {.schedule = "gss"});
  other.wait();
  one.wait();
  first.release();
  second.release();
  EXPECT_EQ(first.values, serial(150, 200));
  EXPECT_EQ(second.values, serial(220, 90));
}

TEST_F(WavefrontFor, TakesBlocksLargerThanTheLoopAndRatesThatAreNone) {
  const double inf = std::numeric_limits<double>::infinity();
  for (const double rate : {0.0, -1.0, inf, std::nan(""), 1e300, 1e-300}) {
    Counts counts(40, 60);
    const auto known = [rate](unsigned worker) { return worker == 0 ? rate : 1; };
    wavefront_for(wave(40, 60, 7), cpu_codelet(count, "count"), counts.data(),
                  {.initial_block = 1'000'000, .known_rate = known});
    counts.release();
    EXPECT_EQ(counts.values, serial(40, 60)) << rate;
  }
}

TEST_F(WavefrontFor, RefusesWhatMakesNoSense) {
  Counts counts(10, 10);
  const auto refused = [&](const loops::WavefrontSetup& setup, std::vector<TileData> data,
                           const LoopOptions& options = {}) {
    try {
      wavefront_for(setup, cpu_codelet(count, "count"), std::move(data), options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage && std::string(error.what()).starts_with("loop: ");
    }
    return false;
  };
  const starpu_data_handle_t handle = counts.handle;
  EXPECT_TRUE(refused({10, 10, 0, {{1, 0}, {-1, 0}}}, counts.data())) << "no order";
  EXPECT_TRUE(refused({10, 10, 4, {{-1, 1}}}, counts.data())) << "strides too wide";
  EXPECT_TRUE(refused(wave(std::size_t{1} << 40, std::size_t{1} << 40), counts.data()));
  EXPECT_TRUE(refused(wave(11, 10), counts.data())) << "more rows than the matrix has";
  EXPECT_TRUE(refused(wave(10, 11), counts.data()));
  EXPECT_TRUE(refused(wave(10, 10), {{.handle = nullptr}}));
  EXPECT_TRUE(refused(wave(5, 5), {{.handle = handle, .margin = {.above = 1}}})) << "nothing over row 0";
  EXPECT_TRUE(refused(wave(5, 5), {{.handle = handle, .mode = STARPU_W, .margin = {.right = 1}}}));
  EXPECT_TRUE(refused(wave(5, 5), {{.handle = handle, .mode = STARPU_REDUX}}));
  EXPECT_TRUE(refused(wave(5, 5), {{.handle = handle, .mode = STARPU_RW, .whole = true}}));
  EXPECT_TRUE(refused(wave(5, 5), {{.handle = handle, .part = TilePart::above}}));
  EXPECT_TRUE(refused(wave(5, 5), counts.data(), {.schedule = "static"})) << "shares know no dependencies";
  EXPECT_TRUE(refused(wave(5, 5), counts.data(), {.schedule = "fastest"}));
}

}  // namespace
}  // namespace starpath
