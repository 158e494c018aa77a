// Loops on real StarPU workers.
#include "loops/starpu/parallel_for.hpp"

#include <starpu.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <stdexcept>
#include <thread>

#include "base/error.hpp"
#include "loops/schedule_list.hpp"
#include "tests/loops/starpu/workers.hpp"

namespace starpath {
namespace {

class ParallelFor : public WithWorkers<2> {};

template <class T>
class Vector {
 public:
  explicit Vector(std::size_t n, T value = {}) : values(n, value) {
    starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                                static_cast<std::uint32_t>(n), sizeof(T));
  }
  ~Vector() { starpu_data_unregister(handle); }
  Vector(const Vector&) = delete;
  Vector& operator=(const Vector&) = delete;

  std::vector<T> values;
  starpu_data_handle_t handle = nullptr;
};

template <class T>
T* elements(void* buffer) {
  return reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffer));
}

// y[i] = 3 x[i] + i
void scale(void* buffers[], void* arg) {
  const auto& block = *static_cast<LoopBlock*>(arg);
  if (STARPU_VECTOR_GET_NX(buffers[0]) != block.size) throw std::logic_error("a part of another size");
  for (std::size_t i = 0; i < block.size; ++i)
    elements<std::uint64_t>(buffers[1])[i] = 3 * elements<std::uint64_t>(buffers[0])[i] + block.begin + i;
}

TEST_F(ParallelFor, GivesTheSerialResultUnderEverySchedule) {
  for (const loops::ScheduleName& schedule : loops::schedule_names())
    for (const std::size_t n : {1, 2, 127, 100000}) {
      Vector<std::uint64_t> x(n), y(n, 99);
      std::iota(x.values.begin(), x.values.end(), 5U);
      const LoopReport report =
          parallel_for(n, cpu_codelet(scale, "scale"),
                       {{.handle = x.handle, .mode = STARPU_R}, {.handle = y.handle, .mode = STARPU_W}},
                       {.schedule = schedule.name});
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y.values[i], 3 * (i + 5) + i) << schedule.name << ", " << n;
      std::size_t done = 0;
      for (const LoopShare& share : report.shares) done += share.iterations;
      EXPECT_EQ(done, n);
    }
}

TEST_F(ParallelFor, TakesBlocksLargerThanTheLoop) {
  for (const loops::ScheduleName& schedule : loops::schedule_names())
    for (const std::size_t n : {1, 5, 100}) {
      Vector<std::uint64_t> x(n, 4), y(n, 99);
      parallel_for(n, cpu_codelet(scale, "scale"),
                   {{.handle = x.handle, .mode = STARPU_R}, {.handle = y.handle, .mode = STARPU_W}},
                   {.schedule = schedule.name, .initial_block = 1'000'000, .block_factor = 1'000});
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y.values[i], 12 + i) << schedule.name << ", " << n;
    }
}

TEST_F(ParallelFor, RunsNothingForZeroIterations) {
  Vector<std::uint64_t> x(8), y(8, 99);
  const LoopReport report = parallel_for(
      0, cpu_codelet(scale, "scale"), {{.handle = x.handle, .mode = STARPU_R}, {.handle = y.handle, .mode = STARPU_W}});
  EXPECT_EQ(report.microseconds, 0);
  EXPECT_EQ(y.values, std::vector<std::uint64_t>(8, 99));
}

// Rows of a matrix with one row of halo: out = the row above + the row below, as far as there are any.
void neighbours(void* buffers[], void* arg) {
  const auto& block = *static_cast<LoopBlock*>(arg);
  const auto n = *static_cast<const std::size_t*>(block.argument);
  const auto* in = reinterpret_cast<const int*>(STARPU_MATRIX_GET_PTR(buffers[0]));
  auto* out = reinterpret_cast<int*>(STARPU_MATRIX_GET_PTR(buffers[1]));
  const std::size_t above = block.begin > 0 ? 1 : 0;  // rows of halo in front
  for (std::size_t row = 0; row < block.size; ++row)
    for (std::size_t column = 0; column < STARPU_MATRIX_GET_NX(buffers[1]); ++column) {
      const std::size_t centre = row + above;
      int sum = 0;
      if (block.begin + row > 0) sum += in[(centre - 1) * STARPU_MATRIX_GET_LD(buffers[0]) + column];
      if (block.begin + row + 1 < n) sum += in[(centre + 1) * STARPU_MATRIX_GET_LD(buffers[0]) + column];
      out[row * STARPU_MATRIX_GET_LD(buffers[1]) + column] = sum;
    }
}

TEST_F(ParallelFor, SplitsRowsOfAMatrixWithAHaloAndPaddedStrides) {
  constexpr std::size_t rows = 999, columns = 5, ld = 7;
  std::vector<int> in(rows * ld), out(rows * ld, -1);
  std::iota(in.begin(), in.end(), 0);
  starpu_data_handle_t handles[2];
  starpu_matrix_data_register(&handles[0], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(in.data()), ld, columns,
                              rows, sizeof(int));
  starpu_matrix_data_register(&handles[1], STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(out.data()), ld, columns,
                              rows, sizeof(int));
  parallel_for(rows, cpu_codelet(neighbours, "neighbours"),
               {{.handle = handles[0], .mode = STARPU_R, .halo = 1}, {.handle = handles[1], .mode = STARPU_W}},
               {.initial_block = 4, .argument = &rows});
  starpu_data_unregister(handles[0]);
  starpu_data_unregister(handles[1]);
  for (std::size_t row = 0; row < rows; ++row)
    for (std::size_t column = 0; column < ld; ++column) {
      const int above = row > 0 ? in[(row - 1) * ld + column] : 0,
                below = row + 1 < rows ? in[(row + 1) * ld + column] : 0;
      ASSERT_EQ(out[row * ld + column], column < columns ? above + below : -1) << row << ", " << column;
    }
}

TEST_F(ParallelFor, RunsSeveralLoopsAtOnce) {
  constexpr std::size_t n = 50000;
  Vector<std::uint64_t> x(n, 2), y(n), z(n);
  const starpu_codelet codelet = cpu_codelet(scale, "scale");
  Loop first(n, codelet, {{.handle = x.handle, .mode = STARPU_R}, {.handle = y.handle, .mode = STARPU_W}});
  Loop second(n, codelet, {{.handle = x.handle, .mode = STARPU_R}, {.handle = z.handle, .mode = STARPU_W}},
              {.schedule = "gss"});
  first.wait();
  second.wait();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y.values[i], 6 + i);
  EXPECT_EQ(y.values, z.values);
}

void fails_at_70000(void* buffers[], void* arg) {
  const auto& block = *static_cast<LoopBlock*>(arg);
  if (block.begin <= 70000 && 70000 < block.begin + block.size) throw std::runtime_error("the 70000th is bad");
  for (std::size_t i = 0; i < block.size; ++i) ++elements<std::uint64_t>(buffers[0])[i];
}

TEST_F(ParallelFor, EndsWhenTheCodeletThrows) {
  Vector<std::uint64_t> x(100000);
  try {
    parallel_for(100000, cpu_codelet(fails_at_70000, "counts"), {{.handle = x.handle, .mode = STARPU_RW}});
    FAIL() << "the failure was lost";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::runtime);
    EXPECT_NE(std::string(error.what()).find("loop counts: iterations "), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("the 70000th is bad"), std::string::npos) << error.what();
  }
  EXPECT_EQ(x.values[70000], 0U);
  for (const std::uint64_t count : x.values) ASSERT_LE(count, 1U);
  // StarPU is as good as before.
  Vector<std::uint64_t> shorter(70000);
  parallel_for(70000, cpu_codelet(fails_at_70000, "counts"), {{.handle = shorter.handle, .mode = STARPU_RW}});
  EXPECT_EQ(shorter.values, std::vector<std::uint64_t>(70000, 1));
}

// Time without work: an iteration takes 10 us on worker 0 and 40 us on worker 1, however busy the machine is.
void sleeps(void* buffers[], void* arg) {
  const auto& block = *static_cast<LoopBlock*>(arg);
  const auto begin = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < block.size; ++i) elements<std::uint64_t>(buffers[0])[i] += block.begin + i;
  const auto each = std::chrono::microseconds(starpu_worker_get_id() == 0 ? 10 : 40);
  std::this_thread::sleep_until(begin + each * block.size);
}

TEST_F(ParallelFor, WorkersOfDifferentSpeedEndTogether) {
  constexpr std::size_t n = 60000;  // 0.48 s
  // On a busy machine a wake-up may come late: what counts is the loop that was disturbed least.
  double difference = 1, share = 0;
  for (int attempt = 0; attempt < 40 && (difference > 0.02 || std::abs(share - 0.8) > 0.05); ++attempt) {
    Vector<std::uint64_t> x(n);
    const LoopReport report = parallel_for(n, cpu_codelet(sleeps, "sleeps"), {{.handle = x.handle, .mode = STARPU_RW}});
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x.values[i], i);
    difference = std::abs(report.shares[0].finished - report.shares[1].finished) / report.microseconds;
    share = static_cast<double>(report.shares[0].iterations) / n;
  }
  EXPECT_LE(difference, 0.02);
  EXPECT_NEAR(share, 0.8, 0.05);
}

TEST_F(ParallelFor, KnownRatesMakeTheAdaptivePhaseShorter) {
  constexpr std::size_t n = 20000;
  Vector<std::uint64_t> x(n);
  const std::vector<LoopData> data = {{.handle = x.handle, .mode = STARPU_RW}};
  const auto rate = [](unsigned worker) { return worker == 0 ? 0.1 : 0.025; };
  const auto adaptive_blocks = [&](const LoopOptions& options) {
    std::size_t fewest = n;  // of several: a disturbed loop measures longer
    for (int attempt = 0; attempt < 5; ++attempt)
      fewest = std::min(fewest, parallel_for(n, cpu_codelet(sleeps, "sleeps"), data, options).adaptive_blocks);
    return fewest;
  };
  EXPECT_LT(adaptive_blocks({.known_rate = rate}), adaptive_blocks({}));
}

std::atomic<bool> may_run{false};
void waits_to_run(void* buffers[], void* arg) {
  const auto& block = *static_cast<LoopBlock*>(arg);
  may_run.wait(false);
  for (std::size_t i = 0; i < block.size; ++i) elements<std::uint64_t>(buffers[0])[i] += block.begin + i;
}

TEST_F(ParallelFor, OthersTakeWhatAWorkerLeaves) {
  constexpr std::size_t n = 10000;
  for (const char* schedule : {"hdss", "gss"}) {
    Vector<std::uint64_t> x(n);
    may_run = false;
    Loop loop(n, cpu_codelet(waits_to_run, "waits_to_run"), {{.handle = x.handle, .mode = STARPU_RW}},
              {.schedule = schedule});
    loop.leave(1);
    may_run = true;
    may_run.notify_all();
    const LoopReport report = loop.wait();
    loop.leave(0);  // over already
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x.values[i], i);
    EXPECT_LE(report.shares[1].blocks, 2U);
  }
}

TEST_F(ParallelFor, FailsWhenEveryWorkerLeaves) {
  Vector<std::uint64_t> x(100000);
  may_run = false;
  Loop loop(100000, cpu_codelet(waits_to_run, "waits_to_run"), {{.handle = x.handle, .mode = STARPU_RW}});
  loop.leave(0);
  loop.leave(1);
  may_run = true;
  may_run.notify_all();
  EXPECT_THROW(loop.wait(), Error);
}

TEST_F(ParallelFor, OthersTakeWhatAWorkerThatVanishesFromTheContextLeaves) {
  constexpr std::size_t n = 10000;
  Vector<std::uint64_t> x(n);
  SchedulingContext context({0, 1});
  may_run = false;
  Loop loop(n, cpu_codelet(waits_to_run, "waits_to_run"), {{.handle = x.handle, .mode = STARPU_RW}});
  context.remove(1);
  may_run = true;
  may_run.notify_all();
  const LoopReport report = loop.wait();
  for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(x.values[i], i);
  ASSERT_EQ(report.shares.size(), 2U);
  EXPECT_LE(report.shares[1].blocks, 1U) << "what it held";
}

TEST_F(ParallelFor, UsesTheWorkersOfTheContextOnly) {
  Vector<std::uint64_t> x(1000);
  const SchedulingContext context({1});
  may_run = true;
  const LoopReport report =
      parallel_for(1000, cpu_codelet(waits_to_run, "waits_to_run"), {{.handle = x.handle, .mode = STARPU_RW}});
  ASSERT_EQ(report.shares.size(), 1U);
  EXPECT_EQ(report.shares[0].worker, 1U);
}

TEST_F(ParallelFor, RatesThatAreNoneAreUnknown) {
  constexpr std::size_t n = 20000;
  const double inf = std::numeric_limits<double>::infinity();
  for (const loops::ScheduleName& schedule : loops::schedule_names())
    for (const double rate : {0.0, -1.0, inf, std::nan(""), 1e300, 1e-300}) {
      Vector<std::uint64_t> x(n, 1), y(n);
      const auto known = [rate](unsigned worker) { return worker == 0 ? rate : 1; };
      parallel_for(n, cpu_codelet(scale, "scale"),
                   {{.handle = x.handle, .mode = STARPU_R}, {.handle = y.handle, .mode = STARPU_W}},
                   {.schedule = schedule.name, .known_rate = known});
      for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(y.values[i], 3 + i) << schedule.name << ", " << rate;
    }
}

TEST_F(ParallelFor, RefusesWhatMakesNoSense) {
  Vector<std::uint64_t> x(10);
  const starpu_codelet codelet = cpu_codelet(scale, "scale");
  const auto refused = [&](std::size_t n, const LoopData& data, const LoopOptions& options = {}) {
    try {
      parallel_for(n, codelet, {data}, options);
    } catch (const Error& error) {
      return error.kind() == ErrorKind::usage || error.kind() == ErrorKind::runtime;
    }
    return false;
  };
  EXPECT_TRUE(refused(3, {.handle = x.handle, .mode = STARPU_R})) << "10 elements for 3 iterations";
  EXPECT_TRUE(refused(20, {.handle = x.handle, .mode = STARPU_R}));
  EXPECT_TRUE(refused(10, {.handle = nullptr, .mode = STARPU_R}));
  EXPECT_TRUE(refused(10, {.handle = x.handle, .mode = STARPU_REDUX}));
  EXPECT_TRUE(refused(10, {.handle = x.handle, .mode = STARPU_RW, .halo = 1}));
  EXPECT_TRUE(refused(10, {.handle = x.handle, .mode = STARPU_R}, {.schedule = "fastest"}));
  EXPECT_TRUE(refused(10, {.handle = x.handle, .mode = STARPU_R}, {.workers = {17}}));
  EXPECT_TRUE(refused(10, {.handle = x.handle, .mode = STARPU_R}, {.guided_share = 0}));
}

}  // namespace
}  // namespace starpath
