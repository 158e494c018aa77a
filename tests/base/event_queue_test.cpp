// The order of events.
#include "base/pure/event_queue.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <string>

namespace starpath {
namespace {

template <class Queue>
std::string drain(Queue& queue) {
  std::string order;
  while (!queue.empty()) order += queue.pop().payload;
  return order;
}

TEST(EventQueue, GoesByTimeAndThenByEntry) {
  EventQueue<char> queue;
  for (const auto& [time, name] : {std::pair{2.0, 'd'}, {1.0, 'a'}, {1.0, 'b'}, {0.5, '0'}, {1.0, 'c'}})
    queue.push(time, name);
  EXPECT_EQ(queue.pushed(), 5u);
  EXPECT_EQ(drain(queue), "0abcd");
}

TEST(EventQueue, GoesByTheCallersOrderWhereOneIsGiven) {
  EventQueue<char> queue;
  for (const auto& [order, name] : {std::pair{3u, 'c'}, {1u, 'a'}, {2u, 'b'}}) queue.push(7, order, name);
  queue.push(6, 9, '0');
  EXPECT_EQ(drain(queue), "0abc");
}

TEST(EventQueue, MovesItsPayloads) {
  EventQueue<std::unique_ptr<int>> queue;
  queue.push(2, std::make_unique<int>(2));
  queue.push(1, std::make_unique<int>(1));
  const auto first = queue.pop();
  EXPECT_EQ(first.time, 1);
  EXPECT_EQ(*first.payload, 1);
}

}  // namespace
}  // namespace starpath
