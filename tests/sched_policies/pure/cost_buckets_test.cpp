// Queued tasks by their costs: orders against a plain sort.
#include "sched_policies/apex/cost_buckets.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace starpath {
namespace {

/// Tasks of a bucket, which come and go in any order.
struct Queued {
  TaskRecord record;
  CostedTask task;
};

bool older(const CostedTask* a, const CostedTask* b) {
  return a->task->priority != b->task->priority ? a->task->priority > b->task->priority
                                                : a->task->sequence < b->task->sequence;
}

/// Of an upward rank: 256 for each power of two.
double level(double upward_rank) {
  if (upward_rank == 0) return -HUGE_VAL;
  int exponent = 0;
  const double digits = std::frexp(upward_rank, &exponent);  // from 0.5 up to 1
  return 256 * exponent + std::floor(512 * (digits - 0.5));
}

bool higher(const CostedTask* a, const CostedTask* b) {
  return level(a->upward_rank) != level(b->upward_rank) ? level(a->upward_rank) > level(b->upward_rank) : older(a, b);
}

/// Lets `count` tasks come, go and change their upward ranks at random, and looks at the orders every `every` steps.
void expect_orders_of_a_sort(std::size_t count, int every, const std::vector<double>& upward_ranks) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  const auto upward_rank = [&] { return upward_ranks[below(upward_ranks.size())]; };
  std::vector<Queued> all(count);
  std::vector<CostedTask*> in, out;
  const auto move_one = [&](std::vector<CostedTask*>& from, std::vector<CostedTask*>& to) -> CostedTask& {
    std::swap(from[below(from.size())], from.back());
    to.push_back(from.back());
    from.pop_back();
    return *to.back();
  };
  std::uint64_t sequence = 0;
  for (Queued& queued : all) {
    queued.task.task = &queued.record;
    queued.record.sequence = ++sequence;
    out.push_back(&queued.task);
  }
  CostBuckets buckets;
  for (int step = 0; step < 30000; ++step) {
    const std::size_t action = below(5);
    if (action < 2 && !out.empty()) {
      CostedTask& task = move_one(out, in);
      if (below(4) != 0) task.task->sequence = ++sequence;  // else it is late
      task.task->priority = static_cast<int>(below(2));
      task.upward_rank = upward_rank();
      buckets.insert(task, {1.0});
    } else if (action < 4 && !in.empty()) {
      buckets.remove(move_one(in, out));
    } else if (!in.empty()) {
      buckets.set_upward_rank(*in[below(in.size())], upward_rank());
    }
    ASSERT_EQ(buckets.size(), in.size());
    ASSERT_EQ(buckets.filled(), in.empty() ? 0U : 1U);
    if (in.empty() || step % every != 0) continue;
    ASSERT_EQ(&buckets[0].first(), *std::ranges::min_element(in, older)) << step;
    ASSERT_EQ(&buckets[0].highest(), *std::ranges::min_element(in, higher)) << step;
    ASSERT_EQ(&buckets[0].lowest(), *std::ranges::max_element(in, higher)) << step;
  }
}

TEST(CostBuckets, OrdersAreThoseOfASortWhateverComesLate) {
  expect_orders_of_a_sort(64, 1, {0, 1, 1.0001, 1.0039, 1.004, 5e-7, 3e8});
}

TEST(CostBuckets, OrdersAreThoseOfASortOfManyRanks) {
  std::mt19937 random(8);
  std::uniform_real_distribution<double> near(1, 1.01), wide(-20, 20);
  std::vector<double> upward_ranks(5000);
  for (double& upward_rank : upward_ranks) upward_rank = random() % 2 == 0 ? near(random) : std::exp(wide(random));
  expect_orders_of_a_sort(3000, 10, upward_ranks);
}

}  // namespace
}  // namespace starpath
