// Transfers between nodes, worked out by hand: 100 bytes a second, a latency of a second.
#include "lab/nodes/network.hpp"

#include <gtest/gtest.h>

#include "tests/lab/nodes/small.hpp"

namespace starpath::lab {
namespace {

class NetworkOfThree : public testing::Test {
 protected:
  Events::Action note() {
    return [this] { times.push_back(events.now()); };
  }
  NodesModel all_nodes = small_nodes(3);
  Events events;
  Network network{events, all_nodes};
  std::vector<double> times;
};

TEST_F(NetworkOfThree, OneTransferTakesLatencyAndBytesOverBandwidth) {
  network.send(0, 1, 200, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{3}));
  EXPECT_EQ(network.bytes(), 200);
}

TEST_F(NetworkOfThree, ASendersLinkPassesOneAfterTheOther) {
  network.send(0, 1, 100, note());
  network.send(0, 2, 100, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{2, 3}));
}

TEST_F(NetworkOfThree, AReceiversLinkPassesOneAfterTheOther) {
  network.send(0, 2, 100, note());
  network.send(1, 2, 100, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{2, 3}));
}

TEST_F(NetworkOfThree, BothWaysDoNotMeet) {
  network.send(0, 1, 100, note());
  network.send(1, 0, 100, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{2, 2}));
}

TEST_F(NetworkOfThree, ControlMessagesPassBesideData) {
  network.send(0, 1, 1000, note());
  network.tell(0, 1, note());
  network.tell(1, 1, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{0, 1, 11}));
  EXPECT_EQ(network.messages(), 1u);
}

TEST_F(NetworkOfThree, SmallDataPassBesideLargeOnes) {
  all_nodes.eager_bytes = 50;
  network.send(0, 1, 1000, note());
  network.send(0, 1, 50, note());
  events.run();
  EXPECT_EQ(times, (std::vector<double>{1.5, 11}));
}

TEST_F(NetworkOfThree, TheFileSystemIsSharedAndTheLinksAreNot) {
  network.read(0, 200, note());  // leaves the disks in seconds 0 to 1; its link needs two
  network.read(1, 200, note());  // 1 to 2
  events.run();
  EXPECT_EQ(times, (std::vector<double>{3, 4}));
  EXPECT_EQ(network.read_bytes(), 400);
  EXPECT_EQ(network.bytes(), 0);
}

}  // namespace
}  // namespace starpath::lab
