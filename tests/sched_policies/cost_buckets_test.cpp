// Queued tasks by their costs: orders against a plain sort.
#include "sched_policies/core/cost_buckets.hpp"

#include <gtest/gtest.h>

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

bool higher(const CostedTask* a, const CostedTask* b) { return a->rank != b->rank ? a->rank > b->rank : older(a, b); }

TEST(CostBuckets, OrdersAreThoseOfASortWhateverComesLate) {
  std::mt19937 random(7);
  const auto below = [&](std::size_t n) { return static_cast<std::size_t>(random() % n); };
  std::vector<Queued> all(64);
  std::vector<CostedTask*> in, out;
  std::uint64_t sequence = 0;
  for (Queued& own : all) {
    own.task.task = &own.record;
    own.record.sequence = ++sequence;
    out.push_back(&own.task);
  }
  CostBuckets buckets;
  for (int step = 0; step < 20000; ++step) {
    const std::size_t action = below(3);
    if (action == 0 && !out.empty()) {
      const std::size_t which = below(out.size());
      CostedTask* const task = out[which];
      out[which] = out.back();
      out.pop_back();
      if (below(4) != 0) task->task->sequence = ++sequence;  // else it is late
      task->task->priority = static_cast<int>(below(2));
      task->rank = static_cast<double>(below(3));
      buckets.insert(*task, {1.0});
      in.push_back(task);
    } else if (action == 1 && !in.empty()) {
      const std::size_t which = below(in.size());
      buckets.remove(*in[which]);
      out.push_back(in[which]);
      in[which] = in.back();
      in.pop_back();
    } else if (!in.empty()) {
      buckets.rerank(*in[below(in.size())], static_cast<double>(below(3)));
    }
    ASSERT_EQ(buckets.size(), in.size());
    ASSERT_EQ(buckets.filled(), in.empty() ? 0U : 1U);
    if (in.empty()) continue;
    ASSERT_EQ(&buckets[0].first(), *std::ranges::min_element(in, older)) << step;
    ASSERT_EQ(&buckets[0].highest(), *std::ranges::min_element(in, higher)) << step;
    ASSERT_EQ(&buckets[0].lowest(), *std::ranges::max_element(in, higher)) << step;
  }
}

}  // namespace
}  // namespace starpath
