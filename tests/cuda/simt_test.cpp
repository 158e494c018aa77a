// The SIMT host runtime itself: what kernels may rely on, and that it tells what CUDA leaves undefined.
#include "tests/support/simt.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <vector>

#include "codelets/cuda/seam.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using cuda::for_items;
using cuda::for_pixels;
using cuda::launch;
using cuda::load_shared_with_others;
using cuda::pause_thread;

/// Runs check under many orders; a failure prints the seed.
template <class Check>
void for_orders(Check check) {
  const std::uint64_t base = support::test_seed();
  for (std::uint64_t i = 0; i < 50; ++i) {
    SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(base) + " order " + std::to_string(i));
    simt::set_seed(base + i * 1000);
    check();
  }
}

/// The Error of a grid, "" when there is none.
std::string error_of(dim3 grid, dim3 block, const std::function<void()>& body) {
  try {
    simt::run_grid("tried", grid, block, body);
    return "";
  } catch (const simt::Error& error) {
    return error.what();
  }
}

bool holds(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

__global__ void add_indices(unsigned* counts, int* order, int* next) {
  const unsigned thread = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  const unsigned block = blockIdx.x + gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
  atomicAdd(&counts[block * blockDim.x * blockDim.y * blockDim.z + thread], 1U);
  order[atomicAdd(next, 1)] = static_cast<int>(block);
}

TEST(Simt, RunsEveryThreadOnceInManyOrders) {
  std::set<std::vector<int>> orders;
  support::TestContext context;
  for_orders([&] {
    std::vector<unsigned> counts(2 * 3 * 2 * 4 * 2 * 3, 0);
    std::vector<int> order(counts.size());
    int next = 0;
    launch(context, "add_indices", dim3(2, 3, 2), dim3(4, 2, 3), add_indices, counts.data(), order.data(), &next);
    EXPECT_EQ(counts, std::vector<unsigned>(counts.size(), 1));
    orders.insert(order);
  });
  EXPECT_GT(orders.size(), 40U);
}

TEST(Simt, OneSeedIsOneOrder) {
  const auto order = [] {
    simt::set_seed(17);
    std::vector<int> seen;
    simt::run_grid("order", 3, 40, [&] {
      simt::preempt();
      seen.push_back(static_cast<int>(blockIdx.x * 40 + threadIdx.x));
    });
    return seen;
  };
  EXPECT_EQ(order(), order());
}

__global__ void sum_block(const int* in, int count, int* out) {
  STARPATH_SHARED(int, part, 96);
  const unsigned t = threadIdx.x;
  const int i = static_cast<int>(blockIdx.x * 96 + t);
  part[t] = i < count ? in[i] : 0;
  for (unsigned half = 48; half >= 3; half /= 2) {
    __syncthreads();
    if (t < half) part[t] += part[t + half];
  }
  __syncthreads();
  if (t == 0) atomicAdd(out, part[0] + part[1] + part[2]);
}

TEST(Simt, BarriersOrderSharedMemory) {
  std::vector<int> in(1000);
  std::iota(in.begin(), in.end(), 1);
  support::TestContext context;
  for_orders([&] {
    int sum = 0;
    launch(context, "sum_block", dim3(11), dim3(96), sum_block, in.data(), 1000, &sum);
    EXPECT_EQ(sum, 500500);
  });
}

TEST(Simt, AMissingBarrierShows) {
  int wrong = 0;
  for_orders([&] {
    bool differs = false;
    simt::run_grid("racy", 1, 64, [&] {
      STARPATH_SHARED(int, value, 64);
      value[threadIdx.x] = static_cast<int>(threadIdx.x);
      simt::preempt();
      if (value[(threadIdx.x + 1) % 64] != static_cast<int>((threadIdx.x + 1) % 64)) differs = true;
    });
    wrong += differs;
  });
  EXPECT_GT(wrong, 40);
}

TEST(Simt, BarrierVotes) {
  for_orders([] {
    simt::run_grid("votes", 2, dim3(10, 5), [] {
      const unsigned t = threadIdx.x + 10 * threadIdx.y;
      if (__syncthreads_count(t % 5 == 0) != 10) simt::fail("count");
      if (__syncthreads_or(t == 49) == 0) simt::fail("or");
      if (__syncthreads_or(0) != 0) simt::fail("or of none");
      if (__syncthreads_and(t != 49) != 0) simt::fail("and");
      if (__syncthreads_and(1) == 0) simt::fail("and of all");
    });
  });
}

TEST(Simt, WarpOperations) {
  for_orders([] {
    simt::run_grid("warps", 2, 96, [] {
      const unsigned lane = threadIdx.x % 32;
      constexpr unsigned all = ~0U;
      int sum = static_cast<int>(threadIdx.x);
      for (int step = 16; step > 0; step /= 2) sum += __shfl_xor_sync(all, sum, step);
      const int first = static_cast<int>(threadIdx.x / 32 * 32);
      if (sum != 32 * first + 496) simt::fail("xor");
      if (__shfl_sync(all, lane, 35) != 3) simt::fail("sync");
      if (__shfl_up_sync(all, lane, 3) != (lane < 3 ? lane : lane - 3)) simt::fail("up");
      if (__shfl_down_sync(all, 1.5 + lane, 2, 8) != 1.5 + (lane % 8 < 6 ? lane + 2 : lane)) simt::fail("down");
      if (__ballot_sync(all, lane % 2) != 0xAAAAAAAAU) simt::fail("ballot");
      if (__any_sync(all, lane == 7) == 0 || __any_sync(all, 0) != 0) simt::fail("any");
      if (__all_sync(all, lane < 31) != 0 || __all_sync(all, 1) == 0) simt::fail("all");
      // The halves of a warp go different ways and meet again.
      const unsigned half = lane < 16 ? 0xFFFFU : 0xFFFF0000U;
      if (lane < 16) {
        if (__ballot_sync(half, lane == 2) != 4U) simt::fail("lower half");
      } else {
        if (__shfl_sync(half, lane, 20) != 20) simt::fail("upper half");
      }
      __syncwarp();
    });
  });
}

TEST(Simt, Atomics) {
  for_orders([] {
    int low = 1 << 30, high = -5, sum = 0;
    unsigned bits = 0, flips = 0, kept = ~0U;
    unsigned long long least = ~0ULL;
    int owner = -1, rounds = 0;
    simt::run_grid("atomics", 4, 50, [&] {
      const int i = static_cast<int>(blockIdx.x * 50 + threadIdx.x);
      atomicMin(&low, i + 3);
      atomicMax(&high, i);
      atomicAdd(&sum, i);
      atomicSub(&sum, 1);
      atomicOr(&bits, 1U << i % 32);
      atomicXor(&flips, 1U << i % 20);
      atomicAnd(&kept, ~(1U << i % 7));
      atomicMin(&least, 1ULL << 40 | static_cast<unsigned long long>(i));
      // A lock, which only progress of the thread that holds it can open.
      while (atomicCAS(&owner, -1, i) != -1) pause_thread();
      const int seen = load_shared_with_others(&rounds);
      simt::preempt();
      rounds = seen + 1;
      atomicExch(&owner, -1);
    });
    EXPECT_EQ(low, 3);
    EXPECT_EQ(high, 199);
    EXPECT_EQ(sum, 199 * 100 - 200);
    EXPECT_EQ(bits, ~0U);
    EXPECT_EQ(flips, 0U);
    EXPECT_EQ(kept, ~0x7FU);
    EXPECT_EQ(least, 1ULL << 40);
    EXPECT_EQ(rounds, 200);
  });
}

TEST(Simt, SharedMemoryIsTheBlocksOwn) {
  for_orders([] {
    simt::run_grid("own", 6, 8, [] {
      STARPATH_SHARED(unsigned, mine, 1);
      if (threadIdx.x == 0) mine[0] = blockIdx.x;
      __syncthreads();
      simt::preempt();
      if (mine[0] != blockIdx.x) simt::fail("another block's");
    });
  });
}

TEST(Simt, ABarrierThatNotAllThreadsReachIsAnError) {
  for_orders([] {
    const std::string returned = error_of(2, 64, [] {
      if (threadIdx.x == 5) return;
      __syncthreads();
    });
    EXPECT_TRUE(holds(returned, "kernel tried") && holds(returned, "simt_test.cpp")) << returned;
    EXPECT_TRUE(holds(returned, "returned") && holds(returned, "barrier")) << returned;
    const std::string elsewhere = error_of(1, 64, [] {
      if (threadIdx.x % 2 == 0)
        __syncthreads();
      else
        __syncthreads();
    });
    EXPECT_TRUE(holds(elsewhere, "while") && holds(elsewhere, "wait at the one at")) << elsewhere;
    const std::string mixed = error_of(1, 64, [] {
      if (threadIdx.x < 32 || threadIdx.x == 40)
        __syncthreads();
      else
        __syncwarp();
    });
    EXPECT_TRUE(holds(mixed, "33 of 64 threads") && holds(mixed, "lanes wait in the warp operation at")) << mixed;
  });
}

TEST(Simt, AWarpOperationWithoutALaneOfItsMaskIsAnError) {
  for_orders([] {
    const std::string left = error_of(1, 32, [] {
      if (threadIdx.x != 9) __syncwarp();
    });
    EXPECT_TRUE(holds(left, "returned") && holds(left, "warp operation")) << left;
    const std::string absent = error_of(1, 20, [] { __syncwarp(); });
    EXPECT_TRUE(holds(absent, "does not exist")) << absent;
    const std::string other = error_of(1, 32, [] { __syncwarp(threadIdx.x == 3 ? 1U : ~8U); });
    EXPECT_TRUE(holds(other, "not in its mask")) << other;
  });
}

TEST(Simt, AnIndexOutsideASharedArrayIsAnError) {
  const std::string above = error_of(1, 33, [] {
    STARPATH_SHARED(int, line, 32);
    line[threadIdx.x] = 1;
  });
  EXPECT_TRUE(holds(above, "index 32 in a shared array of 32")) << above;
  EXPECT_TRUE(holds(above, "thread (32,0,0)")) << above;
  const std::string below = error_of(1, 1, [] {
    STARPATH_SHARED(int, line, 32);
    line[static_cast<int>(threadIdx.x) - 1] = 1;
  });
  EXPECT_TRUE(holds(below, "index -1")) << below;
}

TEST(Simt, AGridThatNeverEndsIsAnError) {
  simt::set_patience(10'000);
  const std::string endless = error_of(1, 2, [] {
    while (true) pause_thread();
  });
  simt::set_patience(100'000'000);
  EXPECT_TRUE(holds(endless, "does not end")) << endless;
}

TEST(Simt, AKernelMayThrowAndAnotherRunAfterIt) {
  const std::string thrown = error_of(1, 2, [] { throw std::runtime_error("no luck"); });
  EXPECT_TRUE(holds(thrown, "no luck")) << thrown;
  EXPECT_EQ(error_of(1, 64, [] { __syncthreads(); }), "");
  EXPECT_TRUE(holds(error_of(1, 2000, [] {}), "2000 threads"));
}

TEST(Simt, PixelsAndItems) {
  support::TestContext context;
  support::Image<int> image(70, 21);
  const View<int> view = image.view();
  for_pixels(context, "pixels", 70, 21, [=] __device__(int x, int y) { view.at(x, y) += 1 + x * y; });
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 70; ++x) ASSERT_EQ(image.at(x, y), 1 + x * y);
  std::vector<int> items(1000, 0);
  for_items(context, "items", 999, [p = items.data()] __device__(std::int64_t i) { p[i] += static_cast<int>(i); });
  EXPECT_EQ(std::accumulate(items.begin(), items.end(), 0), 998 * 999 / 2);
  EXPECT_EQ(items[999], 0);
}

}  // namespace
}  // namespace starpath
