// What is read back of messages.
#include "mpi/network/message_codec.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace starpath::mpi {
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
  EXPECT_EQ(there_and_back(Note{"{\"slide\": \"Präparat\"}"}).text, "{\"slide\": \"Präparat\"}");

  const double unknown = std::numeric_limits<double>::quiet_NaN();
  const auto sent = there_and_back(
      Announcement{{9, {1LL << 40, {0.1, unknown}}, 0.25}, 77, 2, 1.5, 0.3, {640, unknown}, "a \"gap\""});
  EXPECT_EQ(sent.sent.ticket, 9);
  EXPECT_EQ(sent.sent.buffer.id, 1LL << 40);
  EXPECT_EQ(sent.sent.buffer.speedups.at(0), 0.1);
  EXPECT_TRUE(std::isnan(sent.sent.buffer.speedups.at(1)));
  EXPECT_EQ(sent.sent.held_seconds, 0.25);
  EXPECT_EQ(sent.tile, 77);
  EXPECT_EQ(sent.round, 2);
  EXPECT_EQ(sent.read_seconds, 1.5);
  EXPECT_EQ(sent.compute_seconds, 0.3);
  ASSERT_EQ(sent.facts.size(), 2u);
  EXPECT_EQ(sent.facts[0], 640);
  EXPECT_TRUE(std::isnan(sent.facts[1]));
  EXPECT_EQ(sent.note, "a \"gap\"");

  const auto verdict = there_and_back(Verdict{4, Verdict::Outcome::failed, true, 31, 1, 0.5, "no \"memory\""});
  EXPECT_EQ(verdict.buffer, 4);
  EXPECT_EQ(verdict.outcome, Verdict::Outcome::failed);
  EXPECT_TRUE(verdict.skipped);
  EXPECT_EQ(verdict.found, 31);
  EXPECT_EQ(verdict.device_class, 1u);
  EXPECT_EQ(verdict.seconds, 0.5);
  EXPECT_EQ(verdict.reason, "no \"memory\"");
}

TEST(StreamMessages, OthersAreNotUnderstood) {
  for (const char* bytes :
       {"", "good day", "[]", R"(["verdict",4,9,true,0,1,0.5,""])", R"(["want"])", R"(["end",1,true,false])"})
    EXPECT_FALSE(decode_stream(bytes)) << bytes;
}

TEST(StreamMessages, TakeSomeTensOfBytes) {
  EXPECT_LT(encode(StreamMessage{BufferRequest{123456, 1}}).size(), 30u);
  EXPECT_LT(encode(StreamMessage{Verdict{123456, Verdict::Outcome::decided, false, 1, 1, 0.0034, ""}}).size(), 60u);
}

TEST(ManagerMessages, InstancesComeBackAsTheyWere) {
  const auto assign = std::get<Assign>(
      decode_to_worker(encode(ToWorker{Assign{{{{7, 0}, true, {}}, {{1LL << 40, 2}, false, {{0, 3}, {1, 4}}}}}}))
          .value());
  ASSERT_EQ(assign.instances.size(), 2u);
  EXPECT_EQ(assign.instances[0].instance, (StageInstance{7, 0}));
  EXPECT_TRUE(assign.instances[0].begins && assign.instances[0].elsewhere.empty());
  EXPECT_EQ(assign.instances[1].instance, (StageInstance{1LL << 40, 2}));
  EXPECT_FALSE(assign.instances[1].begins);
  EXPECT_EQ(assign.instances[1].elsewhere, (std::vector<workflow::InputElsewhere>{{0, 3}, {1, 4}}));

  const auto returned = std::get<Returned>(decode_to_manager(encode(ToManager{Returned{{7, 2}, {0, 1}}})).value());
  EXPECT_EQ(returned.instance, (StageInstance{7, 2}));
  EXPECT_EQ(returned.vanished, (std::vector<int>{0, 1}));
  const auto finished =
      std::get<Finished>(decode_to_manager(encode(ToManager{Finished{7, false, true, 3, "", 1, false}})).value());
  EXPECT_EQ(finished.stage, 1);
  EXPECT_FALSE(finished.over);
  EXPECT_EQ(std::get<Request>(decode_to_manager(encode(ToManager{Request{4, {1}}})).value()).cannot,
            std::vector<int>{1});
  EXPECT_EQ(std::get<Forget>(decode_to_worker(encode(ToWorker{Forget{{7, 8}}})).value()).tiles,
            (std::vector<std::int64_t>{7, 8}));
}

TEST(DataMessages, ComeBackAsTheyWereWhateverTheBytes) {
  const std::string bytes("\n\0[1]\xff", 6);
  const auto here = decode_data(encode(DataMessage{DataPhase::here, {7, 1}, bytes})).value();
  EXPECT_EQ(here.phase, DataPhase::here);
  EXPECT_EQ(here.instance, (StageInstance{7, 1}));
  EXPECT_EQ(here.bytes, bytes);
  EXPECT_EQ(decode_data(encode(DataMessage{DataPhase::gone, {7, 1}})).value().phase, DataPhase::gone);
  for (const char* wrong : {"", "[\"here\",1,2]", "[\"there\",1,2]\n", "[\"here\",1]\n"})
    EXPECT_FALSE(decode_data(wrong));
}

}  // namespace
}  // namespace starpath::mpi
