// Tasks by place, against a plain list.
#include "sched_policies/core/task_sequence.hpp"

#include <gtest/gtest.h>

#include <random>

namespace starpath {
namespace {

struct Largest {
  int number = 0;
  bool operator==(const Largest&) const = default;
  Largest& operator+=(const Largest& other) {
    number = std::max(number, other.number);
    return *this;
  }
};

/// Of tasks of so many priorities, in two groups.
void expect_a_list(int priorities) {
  std::mt19937 random(3);
  std::vector<TaskRecord> tasks(300);
  for (TaskRecord& task : tasks) {
    task.priority = 1 + static_cast<int>(random() % 1000) % priorities;
    task.group = static_cast<GroupId>(random() % 2);
  }
  const auto equal = [](const TaskRecord* a, const TaskRecord* b) {
    return a->priority == b->priority && a->group == b->group;
  };
  std::vector<TaskRecord*> out, list;
  for (TaskRecord& task : tasks) out.push_back(&task);
  TaskSequence<Largest> sequence;
  for (int step = 0; step < 5000; ++step) {
    if (list.empty() || (!out.empty() && random() % 2 == 0)) {
      auto place = static_cast<std::ptrdiff_t>(random() % (list.size() + 1));
      while (place > 0 && place < std::ssize(list) && equal(list[place - 1], list[place])) ++place;
      sequence.insert(static_cast<std::size_t>(place), *out.back(), {out.back()->priority});
      list.insert(list.begin() + place, out.back());
      out.pop_back();
    } else {
      const auto place = static_cast<std::ptrdiff_t>(random() % list.size());
      EXPECT_EQ(&sequence.at(static_cast<std::size_t>(place)), list[static_cast<std::size_t>(place)]);
      const auto removed = sequence.remove(static_cast<std::size_t>(place));
      ASSERT_EQ(removed.task, list[static_cast<std::size_t>(place)]);
      EXPECT_EQ(removed.facts.number, removed.task->priority);
      out.push_back(list[static_cast<std::size_t>(place)]);
      list.erase(list.begin() + place);
    }
    const int least = static_cast<int>(random() % 1000) % (priorities + 2);
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

TEST(TaskSequence, IsAList) {
  for (const int priorities : {1, 2, 50}) expect_a_list(priorities);
}

}  // namespace
}  // namespace starpath
