// What is read back of messages between the ends of streams.
#include "mpi/network/message_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace starpath::cluster {
namespace {

template <class Message>
Message there_and_back(const Message& message) {
  return std::get<Message>(decode_stream(encode(StreamMessage{message})).value());
}

TEST(StreamMessages, ComeBackAsTheyWere) {
  const auto request = there_and_back(BufferRequest{12, 3});
  EXPECT_EQ(request.ticket, 12);
  EXPECT_EQ(request.device_class, 3u);
  EXPECT_EQ(there_and_back(Farewell{7}).requests, 7);
  EXPECT_EQ(there_and_back(NoBuffer{5}).ticket, 5);

  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto sent = there_and_back(Announcement{{9, {1LL << 40, {0.1, unknown}}, 0.25}, 77, 2, 1.5, 0.3});
  EXPECT_EQ(sent.sent.ticket, 9);
  EXPECT_EQ(sent.sent.buffer.id, 1LL << 40);
  EXPECT_EQ(sent.sent.buffer.speedups.at(0), 0.1);
  EXPECT_TRUE(std::isnan(sent.sent.buffer.speedups.at(1)));
  EXPECT_EQ(sent.sent.held_seconds, 0.25);
  EXPECT_EQ(sent.field, 77);
  EXPECT_EQ(sent.level, 2);
  EXPECT_EQ(sent.read_seconds, 1.5);
  EXPECT_EQ(sent.compute_seconds, 0.3);

  const auto verdict = there_and_back(Verdict{4, Verdict::Outcome::failed, true, 1, 0.5, "no \"memory\""});
  EXPECT_EQ(verdict.buffer, 4);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::failed);
  EXPECT_TRUE(verdict.background);
  EXPECT_EQ(verdict.device_class, 1u);
  EXPECT_EQ(verdict.seconds, 0.5);
  EXPECT_EQ(verdict.reason, "no \"memory\"");
}

TEST(StreamMessages, OthersAreNotUnderstood) {
  for (const char* bytes :
       {"", "good day", "[]", R"(["verdict",4,9,true,1,0.5,""])", R"(["want"])", R"(["end",1,true,false])"})
    EXPECT_FALSE(decode_stream(bytes)) << bytes;
}

TEST(StreamMessages, TakeSomeTensOfBytes) {
  EXPECT_LT(encode(StreamMessage{BufferRequest{123456, 1}}).size(), 30u);
  EXPECT_LT(encode(StreamMessage{Verdict{123456, Verdict::Outcome::decided, false, 1, 0.0034, ""}}).size(), 60u);
}

}  // namespace
}  // namespace starpath::cluster
