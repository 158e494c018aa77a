// What threads leave for whoever takes the lock next.
#include "sched_policies/starpu/inbox.hpp"

#include <gtest/gtest.h>

#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace starpath {
namespace {

constexpr std::size_t kRoom = 64;  // for submissions

/// What was taken in, in order: ends as they are, submissions as -1 minus their seconds.
std::vector<double> taken_in(Inbox& inbox) {
  std::vector<double> all;
  inbox.take_in([&](const Inbox::Submission& submission) { all.push_back(-1 - submission.work.seconds); },
                [&](WorkerId, const Inbox::End& end) { all.push_back(end.now); });
  return all;
}

Inbox::Submission lasting(double seconds) { return {.work = {.seconds = seconds}}; }

TEST(Inbox, IsTakenInInTheOrderItWasLeftAndOnce) {
  TaskGraph graph;
  Inbox inbox(3, graph);
  EXPECT_TRUE(taken_in(inbox).empty());
  Inbox::Submission first = lasting(5), second = lasting(6);
  EXPECT_TRUE(inbox.leave(1, {.now = 10}));
  EXPECT_TRUE(inbox.leave(first));
  EXPECT_TRUE(inbox.leave(0, {.now = 20}));
  EXPECT_TRUE(inbox.leave(second));
  EXPECT_TRUE(inbox.leave(2, {.now = 30}));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{10, -6, 20, -7, 30}));
  EXPECT_TRUE(taken_in(inbox).empty());
}

TEST(Inbox, AWorkerLeavesOneEndAtATime) {
  TaskGraph graph;
  Inbox inbox(2, graph);
  EXPECT_TRUE(inbox.leave(0, {.now = 1}));
  EXPECT_FALSE(inbox.leave(0, {.now = 2}));
  EXPECT_TRUE(inbox.leave(1, {.now = 3}));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{1, 3}));
  EXPECT_TRUE(inbox.leave(0, {.now = 4}));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{4}));
}

TEST(Inbox, WhoFindsNoRoomKeepsItsSubmission) {
  TaskGraph graph;
  Inbox inbox(1, graph);
  std::vector<double> expected;
  for (std::size_t i = 0; i < kRoom; ++i) {
    Inbox::Submission own = lasting(static_cast<double>(i));
    ASSERT_TRUE(inbox.leave(own)) << i;
    expected.push_back(-1 - static_cast<double>(i));
  }
  int data = 0;
  Inbox::Submission full = lasting(99);
  full.uses = {{&data, true}};
  EXPECT_FALSE(inbox.leave(full));
  EXPECT_EQ(full.uses.size(), 1U);
  EXPECT_EQ(taken_in(inbox), expected);
  EXPECT_TRUE(inbox.leave(full));
  EXPECT_EQ(taken_in(inbox), (std::vector<double>{-100}));
}

TEST(Inbox, TicketsAreTheGraphsAndNobodyElses) {
  TaskGraph graph;
  Inbox inbox(1, graph);
  std::set<TaskGraph::Ticket> seen;
  std::vector<int> tasks(5 * kRoom);
  int data = 0;
  for (int& task : tasks) {
    Inbox::Submission own{.task = &task, .work = {.seconds = 2, .share = 1}};
    const bool uses_data = (&task - tasks.data()) % 3 == 0;
    if (uses_data) own.uses = {{&data, true}};
    const auto ticket = inbox.leave(own);
    ASSERT_TRUE(ticket);
    EXPECT_EQ(*ticket % 2, uses_data ? 1U : 0U);
    EXPECT_TRUE(seen.insert(*ticket).second) << "given twice: " << *ticket;
    inbox.take_in(
        [&](const Inbox::Submission& submission) {
          EXPECT_EQ(submission.ticket, *ticket);
          graph.submit(submission.task, submission.ticket, submission.uses, submission.work, submission.old);
        },
        [](WorkerId, const Inbox::End&) {});
  }
  EXPECT_EQ(graph.size(), tasks.size());
  EXPECT_EQ(graph.outstanding().seconds, static_cast<double>(tasks.size()));
}

TEST(Inbox, ThreadsLoseNothingAndKeepTheirOwnOrder) {
  constexpr WorkerId kWorkers = 3;
  constexpr int kTasks = 5000;
  TaskGraph graph;
  Inbox inbox(kWorkers, graph);
  std::mutex mutex;
  std::vector<std::vector<double>> ended(kWorkers), submitted(kWorkers);
  std::vector<int> names(kWorkers);
  const auto take_in = [&] {
    inbox.take_in(
        [&](const Inbox::Submission& submission) {
          submitted[static_cast<std::size_t>(static_cast<const int*>(submission.task) - names.data())].push_back(
              submission.work.seconds);
        },
        [&](WorkerId worker, const Inbox::End& end) { ended[worker].push_back(end.now); });
  };
  {
    std::vector<std::jthread> threads;
    for (WorkerId worker = 0; worker < kWorkers; ++worker) {
      threads.emplace_back([&, worker] {
        for (int i = 0; i < kTasks; ++i) {
          Inbox::Submission own{.task = &names[worker], .work = {.seconds = static_cast<double>(i)}};
          const bool came = inbox.leave(own).has_value();
          const bool left = inbox.leave(worker, {.now = static_cast<double>(i)});
          if (came && left && i % 3 != 0) continue;
          const std::lock_guard lock(mutex);
          take_in();
          if (!came) submitted[worker].push_back(i);
          if (!left) ended[worker].push_back(i);
        }
      });
    }
  }
  take_in();
  for (const auto& all : {ended, submitted}) {
    for (const auto& own : all) {
      ASSERT_EQ(own.size(), static_cast<std::size_t>(kTasks));
      for (int i = 0; i < kTasks; ++i) ASSERT_EQ(own[static_cast<std::size_t>(i)], i);
    }
  }
}

}  // namespace
}  // namespace starpath
