// The queue of a place: its order, its work and its last tasks against plain loops.
#include "sched_policies/apex/place_queue.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>
#include <utility>
#include <vector>

#include "support/random_dag.hpp"

namespace starpath {
namespace {

struct Queued {
  TaskRecord record;
  CostedTask task;
};

class PlaceQueueTest : public testing::Test {
 protected:
  void SetUp() override {
    for (int group = 0; group < 2; ++group) {
      WorkerSet workers;
      workers.insert(0);
      if (group == 0) workers.insert(1);
      groups_.push_back(eligibility_.intern(workers));
    }
  }

  std::size_t below(std::size_t n) { return static_cast<std::size_t>(random_() % n); }

  /// Fills in a task at random; `late`: it is older than others in the queue.
  void draw(Queued& queued, bool late) {
    queued.task = {};
    queued.task.task = &queued.record;
    if (!late || queued.record.sequence == 0) queued.record.sequence = ++sequence_;
    queued.record.priority = static_cast<int>(below(2));
    queued.record.group = groups_[below(2)];
    queued.task.type = static_cast<std::uint32_t>(2 * queued.record.group + below(2));
    queued.task.work = 1 + static_cast<double>(below(4));
    queued.task.planned = static_cast<float>(below(4));
    queued.task.urgency.local = below(2) != 0;
    if (queued.task.urgency.local && below(2) != 0) queued.task.fetched = queued.task.place;
    queued.task.fills = 0.001F;  // so that all have room
    queued.task.urgency.critical = rank_of(tails_[below(tails_.size())]);
    queued.task.urgency.priority = queued.record.priority;
  }

  CostedTask* expected_first(const std::vector<CostedTask*>& in, WorkerId worker) const {
    CostedTask* best = nullptr;
    for (CostedTask* const task : in) {
      if (!eligibility_.contains(task->task->group, worker)) continue;
      if (best == nullptr || PlaceQueue::goes_before(*task, *best)) best = task;
    }
    return best;
  }
  static CostedTask* expected_remote(const std::vector<CostedTask*>& in) {
    CostedTask* best = nullptr;
    for (CostedTask* const task : in) {
      if (task->urgency.local) continue;
      if (best == nullptr || PlaceQueue::goes_before(*task, *best)) best = task;
    }
    return best;
  }

  const std::vector<double> tails_ = {0, 1, 1.0001, 1.004, 2, 3e8, 5e-7};
  Machine machine_ = des::machine(1, {1});
  EligibilityTable eligibility_{machine_};
  std::vector<GroupId> groups_;
  std::mt19937 random_{7};
  std::uint64_t sequence_ = 0;
  PlaceQueue queue_;
};

TEST_F(PlaceQueueTest, OrdersAreThoseOfASearchWhateverComesLate) {
  std::vector<Queued> all(64);
  std::vector<CostedTask*> in;
  std::vector<Queued*> out;
  for (Queued& queued : all) out.push_back(&queued);
  for (int step = 0; step < 30000; ++step) {
    if (below(2) == 0 && !out.empty()) {
      std::swap(out[below(out.size())], out.back());
      draw(*out.back(), below(4) == 0);
      queue_.insert(out.back()->task);
      in.push_back(&out.back()->task);
      out.pop_back();
    } else if (!in.empty()) {
      std::swap(in[below(in.size())], in.back());
      queue_.remove(*in.back());
      const auto found = std::ranges::find_if(all, [&](const Queued& queued) { return &queued.task == in.back(); });
      out.push_back(&*found);
      in.pop_back();
    }
    ASSERT_EQ(queue_.size(), in.size());
    for (const WorkerId worker : {0U, 1U}) ASSERT_EQ(queue_.first(worker, eligibility_), expected_first(in, worker));
    ASSERT_EQ(queue_.first_remote(), expected_remote(in));
    ASSERT_EQ(queue_.any() == nullptr, in.empty());
    if (in.empty()) continue;
    double work = 0, copies = 0;
    for (const CostedTask* const task : in) {
      work += task->work;
      copies += task->planned;
    }
    ASSERT_EQ(queue_.work(), work);
    ASSERT_EQ(queue_.copies(), copies);
  }
}

TEST_F(PlaceQueueTest, TheFirstOfEachKindAreItsMostUrgent) {
  std::vector<Queued> all(200);
  for (Queued& queued : all) {
    draw(queued, false);
    queue_.insert(queued.task);
  }
  constexpr std::size_t most = 3;
  std::vector<CostedTask*> seen;
  queue_.each_first(most, [&](CostedTask& task) { seen.push_back(&task); });
  EXPECT_EQ(seen.size(), 8 * most) << "of four types each: to be copied, and not";
  for (Queued& queued : all) {
    std::size_t before = 0;
    for (const Queued& other : all)
      before += other.task.type == queued.task.type && other.task.urgency.local == queued.task.urgency.local &&
                PlaceQueue::goes_before(other.task, queued.task);
    EXPECT_EQ(std::ranges::count(seen, &queued.task), before < most ? 1 : 0);
  }
}

TEST_F(PlaceQueueTest, TheLastOfEachKindIsTheLeastUrgent) {
  std::vector<Queued> all(200);
  for (Queued& queued : all) {
    draw(queued, false);
    queue_.insert(queued.task);
  }
  const auto alike = [](const CostedTask& a, const CostedTask& b) {
    return a.type == b.type && a.urgency.local == b.urgency.local;
  };
  std::size_t kinds = 0;
  queue_.each_last(0, eligibility_, [&](const CostedTask& last) {
    ++kinds;
    for (const Queued& queued : all)
      EXPECT_FALSE(alike(queued.task, last) && PlaceQueue::goes_before(last, queued.task));
  });
  EXPECT_EQ(kinds, 8U) << "of four each: to be copied, and not";
}

}  // namespace
}  // namespace starpath
