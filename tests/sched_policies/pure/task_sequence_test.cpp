// Tasks by place, against a plain list.
#include "sched_policies/core/task_sequence.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath {
namespace {

struct Largest {
  int number = 0;
  Largest& operator+=(const Largest& other) {
    number = std::max(number, other.number);
    return *this;
  }
};

TEST(TaskSequence, IsAList) {
  std::mt19937 random(3);
  std::vector<TaskRecord> tasks(300);
  for (std::size_t i = 0; i < tasks.size(); ++i) tasks[i].priority = static_cast<int>(1 + random() % 50);
  std::vector<TaskRecord*> out, list;
  for (TaskRecord& task : tasks) out.push_back(&task);
  TaskSequence<Largest> sequence;
  for (int step = 0; step < 5000; ++step) {
    if (list.empty() || (!out.empty() && random() % 2 == 0)) {
      const auto place = static_cast<std::ptrdiff_t>(random() % (list.size() + 1));
      sequence.insert(static_cast<std::size_t>(place), *out.back(), {out.back()->priority});
      list.insert(list.begin() + place, out.back());
      out.pop_back();
    } else {
      const auto place = static_cast<std::ptrdiff_t>(random() % list.size());
      EXPECT_EQ(&sequence.at(static_cast<std::size_t>(place)), list[static_cast<std::size_t>(place)]);
      ASSERT_EQ(sequence.remove(static_cast<std::size_t>(place)), list[static_cast<std::size_t>(place)]);
      out.push_back(list[static_cast<std::size_t>(place)]);
      list.erase(list.begin() + place);
    }
    const int least = static_cast<int>(random() % 60);
    const auto may = [least](const Largest& facts) { return facts.number > least; };
    const auto fits = [least](const TaskRecord& task, const Largest&) { return task.priority > least; };
    const std::size_t bound = random() % (list.size() + 1);
    std::size_t first = bound, last = bound;
    while (first < list.size() && list[first]->priority <= least) ++first;
    while (last > 0 && list[last - 1]->priority <= least) --last;
    ASSERT_EQ(sequence.first(bound, may, fits), first);
    ASSERT_EQ(sequence.last(bound, may, fits), last);
    int largest = 0;
    for (const TaskRecord* task : list) largest = std::max(largest, task->priority);
    ASSERT_EQ(sequence.facts().number, largest);
    ASSERT_EQ(sequence.size(), list.size());
  }
}

}  // namespace
}  // namespace starpath
