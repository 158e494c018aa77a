// Messages that threads leave for the thread that takes the lock next.
#include "sched_policies/adapter/inbox.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace starpath {
namespace {

/// What was taken in, in order: ends as they are, submissions as -1 minus their seconds, arrivals as 1000 more than
/// their tails.
std::vector<double> taken_in(Inbox& inbox) {
  std::vector<double> all;
  inbox.take_in([&](const Inbox::Submission& submission) { all.push_back(-1 - submission.work.mean); },
                [&](const Inbox::Arrival& arrival) { all.push_back(1000 + arrival.costs.tail); },
                [&](WorkerId, const Inbox::End& end) { all.push_back(end.now); });
  return all;
}

PlannedTask* no_record() { return nullptr; }

/// False: there is no free slot.
bool leave_submission(Inbox& inbox, double seconds, const void* data = nullptr) {
  Inbox::Submission* const slot = inbox.submission();
  if (slot == nullptr) return false;
  slot->work.mean = seconds;
  slot->uses.clear();
  if (data != nullptr) slot->uses = {{data, Access::write}};
  inbox.leave(*slot);
  return true;
}

bool leave_arrival(Inbox& inbox, double tail) {
  Inbox::Arrival* const slot = inbox.arrival();
  if (slot == nullptr) return false;
  slot->costs.tail = tail;
  inbox.leave(*slot);
  return true;
}

TEST(Inbox, IsTakenInInTheOrderItWasLeftAndOnce) {
  TaskGraph graph;
  Inbox inbox(3, graph, no_record);
  EXPECT_TRUE(inbox.empty());
  EXPECT_TRUE(taken_in(inbox).empty());
  EXPECT_TRUE(inbox.leave(1, {.now = 10}));
  EXPECT_FALSE(inbox.empty());
  EXPECT_TRUE(leave_submission(inbox, 5));
  EXPECT_TRUE(leave_arrival(inbox, 7));
  EXPECT_TRUE(inbox.leave(0, {.now = 20}));
  EXPECT_TRUE(leave_arrival(inbox, 8));
  EXPECT_TRUE(leave_submission(inbox, 6));
  EXPECT_TRUE(inbox.leave(2, {.now = 30}));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{10, -6, 1007, 20, 1008, -7, 30}));
  EXPECT_TRUE(inbox.empty());
  EXPECT_TRUE(taken_in(inbox).empty());
}

TEST(Inbox, AWorkerLeavesAsManyEndsAsThereIsRoomFor) {
  TaskGraph graph;
  Inbox inbox(2, graph, no_record);
  std::vector<double> expected;
  for (std::size_t i = 0; i < Inbox::kEnds; ++i) {
    EXPECT_TRUE(inbox.leave(0, {.now = static_cast<double>(i)}));
    expected.push_back(static_cast<double>(i));
  }
  EXPECT_FALSE(inbox.leave(0, {.now = 99}));
  EXPECT_TRUE(inbox.leave(1, {.now = 100}));
  expected.push_back(100);
  EXPECT_EQ(taken_in(inbox), expected);
  EXPECT_TRUE(inbox.leave(0, {.now = 4}));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{4}));
}

TEST(Inbox, WithoutRoomNothingIsLeft) {
  TaskGraph graph;
  Inbox inbox(1, graph, no_record);
  std::vector<double> expected;
  for (std::size_t i = 0; i < Inbox::kSlots; ++i) {
    ASSERT_TRUE(leave_submission(inbox, static_cast<double>(i))) << i;
    expected.push_back(-1 - static_cast<double>(i));
  }
  EXPECT_EQ(inbox.submission(), nullptr);
  for (std::size_t i = 0; i < Inbox::kSlots; ++i) {
    ASSERT_TRUE(leave_arrival(inbox, static_cast<double>(i))) << i;
    expected.push_back(1000 + static_cast<double>(i));
  }
  EXPECT_EQ(inbox.arrival(), nullptr);
  EXPECT_EQ(taken_in(inbox), expected);
  EXPECT_TRUE(leave_submission(inbox, 99));
  EXPECT_TRUE(leave_arrival(inbox, 99));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{-100, 1099}));
}

TEST(Inbox, TicketsAreTheGraphsAndNobodyElses) {
  TaskGraph graph;
  Inbox inbox(1, graph, no_record);
  std::set<TaskGraph::Ticket> tickets;
  std::set<std::uint32_t> numbers;
  std::vector<int> tasks(5 * Inbox::kSlots);
  int data = 0;
  for (int& task : tasks) {
    Inbox::Submission& slot = *inbox.submission();
    EXPECT_TRUE(numbers.insert(slot.number()).second) << "the number of two: " << slot.number();
    slot.task = &task;
    slot.work = {.mean = 2, .share = 1};
    slot.uses.clear();
    const bool uses_data = (&task - tasks.data()) % 3 == 0;
    if (uses_data) slot.uses = {{&data, Access::write}};
    const TaskGraph::Ticket ticket = inbox.leave(slot);
    EXPECT_EQ(ticket % 2, uses_data ? 1U : 0U);
    EXPECT_TRUE(tickets.insert(ticket).second) << "given twice: " << ticket;
    inbox.take_in(
        [&](const Inbox::Submission& submission) {
          EXPECT_EQ(submission.ticket(), ticket);
          graph.submit(submission.task, ticket, submission.uses, submission.work, submission.old);
        },
        [](const Inbox::Arrival&) {}, [](WorkerId, const Inbox::End&) {});
  }
  EXPECT_EQ(graph.size(), tasks.size());
  EXPECT_EQ(graph.outstanding().seconds, static_cast<double>(tasks.size()));
}

/// Leaves a submission, an arrival and an end of `worker`, each with the number `i`.
template <class MakeRoom>
void leave_all(Inbox& inbox, WorkerId worker, int i, MakeRoom make_room) {
  Inbox::Submission* submission = nullptr;
  while ((submission = inbox.submission()) == nullptr) make_room();
  submission->types = worker;
  submission->work.mean = i;
  inbox.leave(*submission);
  Inbox::Arrival* arrival = nullptr;
  while ((arrival = inbox.arrival()) == nullptr) make_room();
  arrival->types = worker;
  arrival->costs.tail = i;
  inbox.leave(*arrival);
  while (!inbox.leave(worker, {.now = static_cast<double>(i)})) make_room();
}

TEST(Inbox, ThreadsLoseNothingAndKeepTheirOwnOrder) {
  constexpr WorkerId kWorkers = 3;
  constexpr int kTasks = 5000;
  TaskGraph graph;
  Inbox inbox(kWorkers, graph, no_record);
  std::mutex mutex;
  std::vector<std::vector<double>> ended(kWorkers), submitted(kWorkers), arrived(kWorkers);
  const auto take_in = [&] {
    inbox.take_in(
        [&](const Inbox::Submission& submission) { submitted[submission.types].push_back(submission.work.mean); },
        [&](const Inbox::Arrival& arrival) { arrived[arrival.types].push_back(arrival.costs.tail); },
        [&](WorkerId worker, const Inbox::End& end) { ended[worker].push_back(end.now); });
  };
  const auto make_room = [&] {
    const std::lock_guard lock(mutex);
    take_in();
  };
  {
    std::vector<std::jthread> threads;
    for (WorkerId worker = 0; worker < kWorkers; ++worker) {
      threads.emplace_back([&, worker] {
        for (int i = 0; i < kTasks; ++i) {
          leave_all(inbox, worker, i, make_room);
          if (i % 3 == 0) make_room();
        }
      });
    }
  }
  take_in();
  for (const auto& all : {ended, submitted, arrived}) {
    for (const auto& ends : all) {
      ASSERT_EQ(ends.size(), static_cast<std::size_t>(kTasks));
      for (int i = 0; i < kTasks; ++i) ASSERT_EQ(ends[static_cast<std::size_t>(i)], i);
    }
  }
}

}  // namespace
}  // namespace starpath
