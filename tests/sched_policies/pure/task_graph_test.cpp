// The graph of submitted tasks: tails, by hand.
#include "sched_policies/planning/task_graph.hpp"

#include <gtest/gtest.h>
#include <malloc.h>

#include <array>
#include <utility>

namespace starpath {
namespace {

/// Tasks 0 .. 9 and data a, b.
class Graph : public testing::Test {
 protected:
  void submit(int task, std::vector<DataUse> uses, double seconds) {
    TaskGraph::Ticket& ticket = tickets[static_cast<std::size_t>(task)];
    const TaskGraph::Ticket old = std::exchange(ticket, graph.reserve(!uses.empty()));
    graph.submit(name(task), ticket, uses, {.mean = seconds, .share = seconds / 2}, old);
  }
  void meet(std::vector<DataUse> uses) { graph.meet(graph.reserve(!uses.empty()), uses); }
  void finish(int task) { graph.finish(name(task), tickets[static_cast<std::size_t>(task)]); }
  double tail(int task) {
    graph.update([](void*, double) {});
    return graph.standing(name(task), tickets[static_cast<std::size_t>(task)]).tail;
  }
  const void* name(int task) const { return &tasks[static_cast<std::size_t>(task)]; }
  static constexpr Access kReads = Access::read, kWrites = Access::write, kReduces = Access::reduce;
  std::array<char, 10> tasks{};
  std::array<TaskGraph::Ticket, 10> tickets{};
  char a = 0, b = 0;
  TaskGraph graph;
};

TEST_F(Graph, ATailIsTheLongestChainOfTasksThatWait) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&a, kReads}, {&b, kWrites}}, 2);
  submit(2, {{&a, kReads}}, 7);
  submit(3, {{&b, kReads}}, 4);
  EXPECT_EQ(tail(0), 7);  // 2 alone, or 1 and 3: 6
  EXPECT_EQ(tail(1), 4);
  EXPECT_EQ(tail(2), 0);
  EXPECT_EQ(tail(3), 0);
  EXPECT_EQ(graph.outstanding().seconds, 7);
  EXPECT_EQ(graph.size(), 4U);
}

TEST_F(Graph, TasksThatReduceDataDoNotWaitForEachOther) {
  submit(0, {{&a, kWrites}}, 1);
  for (const int reducer : {1, 2, 3}) submit(reducer, {{&a, kReduces}}, 10 * reducer);
  submit(4, {{&a, kReads}}, 5);
  submit(5, {{&a, kReads}}, 4);
  submit(6, {{&a, kReduces}}, 2);
  submit(7, {{&a, kWrites}}, 3);
  EXPECT_EQ(tail(0), 30 + 5 + 2 + 3);
  for (const int reducer : {1, 2, 3}) EXPECT_EQ(tail(reducer), 5 + 2 + 3) << reducer;
  EXPECT_EQ(tail(4), 2 + 3);
  EXPECT_EQ(tail(5), 2 + 3);
  EXPECT_EQ(tail(6), 3);
  EXPECT_EQ(graph.size(), 8U);
}

TEST_F(Graph, ATaskMayReadWhatItReduces) {
  submit(0, {{&a, kReads}, {&a, kReduces}}, 1);
  submit(1, {{&a, kReads}}, 2);
  for (int pass = 0; pass < 3; ++pass) EXPECT_EQ(tail(0), 2);
}

TEST_F(Graph, UsesMeetWhereNoTaskRuns) {
  submit(0, {{&a, kWrites}}, 1);
  meet({{&a, kWrites}, {&b, kWrites}});  // b is cut out of a
  meet({});
  submit(1, {{&b, kWrites}}, 2);
  EXPECT_EQ(tail(0), 2);
  EXPECT_EQ(graph.outstanding().seconds, 1.5) << "of the two tasks";
  finish(0);
  EXPECT_EQ(tail(1), 0);
  meet({{&a, kWrites}, {&b, kWrites}});
  submit(2, {{&a, kReads}}, 4);
  EXPECT_EQ(tail(1), 4);
  finish(1);
  finish(2);
  EXPECT_EQ(graph.size(), 0U);
}

TEST_F(Graph, ItTellsWhoseResultsAreNeededInMainMemory) {
  const auto home = [&](int task) { return graph.standing(name(task), tickets[static_cast<std::size_t>(task)]).home; };
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&a, kReads}, {&b, kWrites}}, 1);
  meet({{&b, kWrites}});
  EXPECT_FALSE(home(1)) << "no matter where";
  submit(2, {{&b, kWrites}}, 1);
  meet({{&b, kReads, true}});
  EXPECT_FALSE(home(0));
  EXPECT_TRUE(home(2));
  meet({{&b, kReads, true}, {&a, kWrites, true}});
  EXPECT_TRUE(home(0));
  finish(0);
  submit(0, {{&a, kWrites}}, 1);
  EXPECT_FALSE(home(0)) << "in the node of another";
}

TEST_F(Graph, WhereUsesMetIsForgottenWithoutAnyPass) {
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 100'000; ++i) {
    meet({{&a, kWrites}, {&b, kWrites}});
    if (i % 10 == 0) submit(0, {{&a, kWrites}}, 1);
    if (i % 10 == 5) finish(0);
  }
  EXPECT_LT(mallinfo2().uordblks, before + (1 << 20));
}

TEST_F(Graph, WhereUsesMetIsForgotten) {
  const auto before = mallinfo2().uordblks;
  for (int i = 0; i < 100'000; ++i) {
    submit(0, {{&a, kWrites}}, 1);
    meet({{&a, kWrites}});
    meet({{&a, kWrites}, {&b, kWrites}});
    submit(1, {{&b, kReduces}}, 1);
    submit(2, {{&b, kReads}}, 1);
    if (i % 16 == 0) {
      EXPECT_EQ(tail(0), 2);
    }
    for (const int task : {0, 1, 2}) finish(task);
  }
  EXPECT_LT(mallinfo2().uordblks, before + (1 << 20));
}

TEST_F(Graph, ItTellsTheOrderOfSubmission) {
  const auto position = [&](int task) {
    return graph.standing(name(task), tickets[static_cast<std::size_t>(task)]).position;
  };
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {}, 1);
  submit(2, {{&a, kReads}}, 1);
  EXPECT_LT(position(0), position(1));
  EXPECT_LT(position(1), position(2));
  finish(0);
  EXPECT_EQ(position(0), 0U);
  submit(3, {{&a, kWrites}}, 1);
  EXPECT_GT(position(3), position(2)) << "also in the node of another";
}

TEST_F(Graph, ItTellsWhatIsReplaced) {
  for (int task = 0; task < 5; ++task) submit(task, {}, 1);
  finish(0);
  EXPECT_EQ(graph.outstanding().replaced, 0);
  for (int task = 5; task < 9; ++task) {
    submit(task, {{&a, kWrites}}, 1);
    finish(task - 4);
  }
  EXPECT_GT(graph.outstanding().replaced, 0.6);
  for (int task = 5; task < 9; ++task) finish(task);
  EXPECT_EQ(graph.outstanding().replaced, 0);
}

TEST_F(Graph, ItTellsWhatWaitsByRank) {
  const auto before = [&](double upward_rank) {
    graph.update([](void*, double) {});
    return graph.outstanding().waiting->before(WorkByUpwardRank::level(upward_rank));
  };
  submit(0, {{&a, kWrites}}, 1);  // with what waits for it 7
  submit(1, {{&a, kWrites}}, 2);  // 6
  submit(2, {{&a, kWrites}}, 4);
  submit(3, {}, 100);  // without data: not counted
  EXPECT_EQ(before(3), 3.5);
  EXPECT_EQ(before(4), 2.5);
  EXPECT_EQ(before(5), 1.5);
  graph.begin(name(1), tickets[1]);
  EXPECT_EQ(before(3), 2.5);
  finish(1);
  EXPECT_EQ(before(3), 2);  // nothing is known to wait for 0 any more
  EXPECT_EQ(before(0.5), 2.5);
  finish(0);
  EXPECT_EQ(before(0.5), 2);
  finish(2);
  EXPECT_EQ(before(1e-9), 0);
}

TEST(Work, EachWorkerCountsAtItsOwnPace) {
  const Machine machine({{"cpu"}, {"gpu", DeviceKind::accelerator}}, {0, 0, 0, 1});
  const auto both = TaskGraph::Work::of(machine, {6, 2});  // in 6 seconds 3 on the cores and 3 on the GPU
  EXPECT_DOUBLE_EQ(both.mean, 4);
  EXPECT_DOUBLE_EQ(both.share, 1);
  const auto gpu = TaskGraph::Work::of(machine, {std::nullopt, 2});
  EXPECT_DOUBLE_EQ(gpu.mean, 2) << "cores that cannot run it do not count";
  EXPECT_DOUBLE_EQ(gpu.share, 2);
  EXPECT_EQ(TaskGraph::Work::of(machine, {}).mean, 0);
}

TEST_F(Graph, AWriterWaitsForReaders) {
  submit(0, {{&a, kReads}}, 1);
  submit(1, {{&a, kReads}}, 1);
  submit(2, {{&a, kWrites}}, 5);
  EXPECT_EQ(tail(0), 5);
  EXPECT_EQ(tail(1), 5);
}

TEST_F(Graph, ReadersDoNotWaitForEachOther) {
  submit(0, {{&a, kReads}}, 1);
  submit(1, {{&a, kReads}}, 1);
  EXPECT_EQ(tail(0), 0);
}

TEST_F(Graph, WhatFinishedIsForgotten) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&a, kWrites}}, 2);
  finish(0);
  finish(0);
  EXPECT_EQ(graph.size(), 1U);
  EXPECT_EQ(tail(0), 0);
  submit(2, {{&b, kWrites}}, 3);  // in the place of 0
  submit(3, {{&b, kWrites}}, 4);
  EXPECT_EQ(tail(2), 4);
  EXPECT_EQ(tail(1), 0);
  for (const int task : {1, 2, 3}) finish(task);
  EXPECT_EQ(graph.size(), 0U);
  EXPECT_EQ(graph.outstanding().seconds, 0);
}

TEST_F(Graph, ATaskThatUsesItsDataTwiceDoesNotWaitForItself) {
  submit(0, {{&a, kReads}, {&a, kWrites}}, 1);
  submit(1, {{&a, kWrites}, {&a, kReads}}, 2);
  EXPECT_EQ(tail(0), 2);
  EXPECT_EQ(tail(1), 0);
}

TEST_F(Graph, ATaskMayComeAgain) {
  submit(0, {{&a, kWrites}}, 1);
  submit(0, {{&a, kWrites}}, 1);
  EXPECT_EQ(graph.size(), 1U);
  EXPECT_EQ(tail(0), 0);
}

TEST_F(Graph, ATicketOfAnotherTaskOrOfNoneIsNotKnown) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&a, kWrites}}, 2);
  for (const TaskGraph::Ticket wrong :
       {TaskGraph::kNoTicket, tickets[1], TaskGraph::Ticket{12345678}, ~TaskGraph::Ticket{0}}) {
    graph.finish(name(0), wrong);
    graph.tag(name(0), wrong, &b);
    EXPECT_EQ(graph.standing(name(0), wrong).tail, 0);
  }
  EXPECT_EQ(graph.size(), 2U);
  EXPECT_EQ(tail(0), 2);
  const TaskGraph::Ticket old = tickets[0];
  finish(0);
  graph.finish(name(0), old);
  EXPECT_EQ(graph.size(), 1U);
}

TEST_F(Graph, UpdateSaysWhichTailsChanged) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {}, 1);
  graph.tag(name(0), tickets[0], &tasks[0]);
  graph.tag(name(1), tickets[1], &tasks[1]);
  std::vector<std::pair<void*, double>> changes;
  const auto note = [&](void* tag, double now) { changes.emplace_back(tag, now); };
  graph.update(note);
  EXPECT_TRUE(changes.empty());
  submit(2, {{&a, kReads}}, 5);
  graph.update(note);
  EXPECT_EQ(changes, (std::vector<std::pair<void*, double>>{{&tasks[0], 5}}));
}

TEST_F(Graph, APostponedPassKnowsWhatThereWasThen) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&a, kWrites}}, 2);
  graph.postpone();
  EXPECT_TRUE(graph.postponed());
  submit(2, {{&a, kWrites}}, 4);
  EXPECT_EQ(tail(0), 2);
  EXPECT_FALSE(graph.postponed());
  EXPECT_EQ(tail(0), 6);
}

TEST_F(Graph, OfTwoPostponedPassesTheLaterOneCounts) {
  submit(0, {{&a, kWrites}}, 1);
  graph.postpone();
  submit(1, {{&a, kWrites}}, 2);
  graph.postpone();
  EXPECT_EQ(tail(0), 2);
}

TEST_F(Graph, APostponedPassMayOutliveTheTasksItKnew) {
  submit(0, {{&a, kWrites}}, 1);
  submit(1, {{&b, kWrites}}, 2);
  graph.postpone();
  submit(2, {{&a, kWrites}}, 4);
  finish(1);
  finish(0);
  EXPECT_EQ(tail(2), 0);
  graph.postpone();
  finish(2);
  submit(3, {{&a, kWrites}}, 8);
  submit(4, {{&a, kWrites}}, 16);
  EXPECT_EQ(tail(3), 0);
  EXPECT_EQ(tail(3), 16);
}

TEST_F(Graph, WhatCameAfterAPostponedPassWaitsToo) {
  submit(0, {{&a, kWrites}}, 1);
  graph.postpone();
  submit(1, {{&b, kWrites}}, 2);
  tail(0);
  EXPECT_EQ(graph.outstanding().waiting->before(0), 1.5);
}

TEST_F(Graph, TasksWithoutDataCountAsWorkOnly) {
  submit(0, {}, 4);
  submit(1, {{&a, kWrites}}, 2);
  submit(2, {}, 6);
  EXPECT_EQ(graph.outstanding().seconds, 6);
  EXPECT_EQ(tail(0), 0);
  EXPECT_EQ(tail(1), 0);
  finish(0);
  EXPECT_EQ(graph.size(), 2U);
  EXPECT_EQ(graph.outstanding().seconds, 4);
}

// Each writer waits for 2000 readers; the node of a writer is used again for a reader, and the other way round.
TEST_F(Graph, NodesDoNotKeepTheMemoryOfLongLists) {
  std::vector<char> names(4007);
  std::vector<TaskGraph::Ticket> given(names.size(), TaskGraph::kNoTicket);
  const auto round = [&](std::size_t from, std::size_t to) {
    for (std::size_t i = from; i < to; ++i) {
      const std::size_t at = i % names.size();
      if (given[at] != TaskGraph::kNoTicket) graph.finish(&names[at], given[at]);
      given[at] = graph.reserve(true);
      graph.submit(&names[at], given[at], std::array{DataUse{&a, i % 2001 == 2000 ? kWrites : kReads}},
                   {.mean = 1, .share = 1});
    }
  };
  round(0, 10'000);
  const std::size_t before = mallinfo2().uordblks;
  round(10'000, 600'000);
  EXPECT_LT(mallinfo2().uordblks, before + (std::size_t{2} << 20));
}

TEST_F(Graph, PassesAreRare) {
  std::vector<char> many(10000);
  std::size_t passes = 0, visits = 0;
  for (const char& task : many) {
    const TaskGraph::Ticket ticket = graph.reserve(true);
    graph.submit(&task, ticket, std::array{DataUse{&a, kWrites}}, {.mean = 1, .share = 1});
    graph.begin(&task, ticket);  // as often as it can be
    if (!graph.stale()) continue;
    graph.update([](void*, double) {});
    ++passes;
    visits += graph.size();
  }
  EXPECT_GT(passes, 5U);
  EXPECT_LT(visits, 12 * many.size());
}

TEST_F(Graph, WhatWasSubmittedLastIsTakenUpWhenAQuarterIsHandedOut) {
  std::vector<char> many(100), chain(10);
  std::vector<TaskGraph::Ticket> given;
  for (const char& task : many) {
    given.push_back(graph.reserve(true));
    graph.submit(&task, given.back(), std::array{DataUse{&task, kWrites}}, {.mean = 1, .share = 1});
  }
  graph.update([](void*, double) {});
  std::vector<TaskGraph::Ticket> links;
  for (const char& task : chain) {
    links.push_back(graph.reserve(true));
    graph.submit(&task, links.back(), std::array{DataUse{&a, kWrites}}, {.mean = 1, .share = 1});
  }
  std::size_t begun = 0;
  for (; begun < many.size() && !graph.stale(); ++begun) graph.begin(&many[begun], given[begun]);
  EXPECT_EQ(begun, 18U);  // with the ten that are new a quarter of the 110
  graph.update([](void*, double) {});
  EXPECT_EQ(graph.standing(&chain[0], links[0]).tail, 9);
  for (; begun < many.size(); ++begun) graph.begin(&many[begun], given[begun]);
  EXPECT_FALSE(graph.stale());  // nothing is new
}

TEST_F(Graph, WorkThatBecomesKnownIsNew) {
  const TaskGraph::Ticket first = graph.reserve(true), second = graph.reserve(true);
  const char one = 0, two = 0;
  graph.submit(&one, first, std::array{DataUse{&a, kWrites}}, {});
  graph.submit(&two, second, std::array{DataUse{&a, kWrites}}, {});
  graph.update([](void*, double) {});
  graph.weigh(&two, second, {.mean = 3, .share = 3});
  EXPECT_TRUE(graph.stale());
  graph.update([](void*, double) {});
  EXPECT_EQ(graph.standing(&one, first).tail, 3);
}

}  // namespace
}  // namespace starpath
