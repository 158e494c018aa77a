// Streams over a network that reorders and delays messages at will.
#include "mpi/protocol/stream.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <deque>
#include <limits>
#include <random>
#include <set>
#include <string_view>

#include "tests/mpi/protocol/take.hpp"

namespace starpath::mpi {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kCpu = 0, kGpu = 1;

TEST(BufferQueue, GivesEachClassItsBestAndRemovesItFromAllViews) {
  BufferQueue queue(true, 2);
  queue.insert({1, {1, 2}});
  queue.insert({2, {1, 30}});
  queue.insert({3, {1, 8}});
  EXPECT_EQ(queue.take(kGpu)->id, 2);
  EXPECT_EQ(queue.take(kCpu)->id, 1) << "equal for it: the oldest";
  EXPECT_EQ(queue.take(kCpu)->id, 3);
  EXPECT_FALSE(queue.take(kGpu));
}

TEST(BufferQueue, UnknownSpeedupsGoLastInArrivalOrder) {
  BufferQueue queue(true, 2);
  queue.insert({1, {1, kUnknown}});
  queue.insert({2, {1, kUnknown}});
  queue.insert({3, {1, 0.5}});
  EXPECT_EQ(queue.take(kGpu)->id, 3);
  EXPECT_EQ(queue.take(kGpu)->id, 1);
  EXPECT_EQ(queue.take(kGpu)->id, 2);
}

TEST(BufferQueue, UnsortedItIsAFifo) {
  BufferQueue queue(false, 2);
  queue.insert({1, {1, 2}});
  queue.insert({2, {1, 30}});
  EXPECT_EQ(queue.take(kGpu)->id, 1);
  EXPECT_EQ(queue.take(kCpu)->id, 2);
}

const StreamPolicy& policy(std::string_view name) { return *find_stream_policy(name); }

/// n producers and m consumers; whatever can happen may be what happens next.
class Stream {
 public:
  Stream(const StreamPolicy& stream_policy, int producers, std::vector<std::vector<std::size_t>> consumers,
         int buffers_each, const StreamConsumerOptions& options, std::uint64_t seed)
      : random_(seed), left_(static_cast<std::size_t>(producers), buffers_each) {
    for (int producer = 0; producer < producers; ++producer)
      producers_.emplace_back(stream_policy, 2, static_cast<int>(consumers.size()));
    for (const auto& workers : consumers) {
      consumers_.emplace_back(stream_policy, 2, workers, producers, options);
      busy_.emplace_back(workers.size(), false);
    }
    limit_ = stream_policy.dynamic ? options.most : options.window;
    for (int consumer = 0; consumer < static_cast<int>(consumers_.size()); ++consumer)
      send(consumer, consumers_[static_cast<std::size_t>(consumer)].start(now_));
  }

  /// So many steps, or until nothing is left that could happen.
  void run(int steps = -1) {
    while (steps-- != 0 && step()) check();
  }
  /// Asks for nothing more from here on.
  void leave(std::size_t consumer) { send(static_cast<int>(consumer), consumers_[consumer].leave(now_)); }
  /// Producers whom nobody will ask any more give up.
  void abandon_deserted() {
    for (std::size_t producer = 0; producer < producers_.size(); ++producer)
      if (producers_[producer].deserted() && !producers_[producer].over()) {
        left_[producer] = -1;
        answer(static_cast<int>(producer), producers_[producer].abandon());
      }
  }
  bool over() const {
    return std::all_of(producers_.begin(), producers_.end(), [](const auto& end) { return end.over(); }) &&
           std::all_of(consumers_.begin(), consumers_.end(), [](const auto& end) { return end.over(); });
  }
  const std::set<BufferId>& processed() const { return processed_; }
  int largest_step() const { return largest_step_; }

 private:
  template <class Message>
  struct Flight {
    int from, to;
    Message message;
  };

  int below(std::size_t bound) { return std::uniform_int_distribution(0, static_cast<int>(bound) - 1)(random_); }

  bool step() {
    now_ += std::exponential_distribution(1.0)(random_);
    std::vector<int> sources;
    for (std::size_t producer = 0; producer < producers_.size(); ++producer)
      if (left_[producer] >= 0) sources.push_back(static_cast<int>(producer));
    std::vector<std::pair<std::size_t, std::size_t>> workers;
    for (std::size_t consumer = 0; consumer < consumers_.size(); ++consumer)
      for (std::size_t worker = 0; worker < busy_[consumer].size(); ++worker)
        if (busy_[consumer][worker] || try_to_take(consumer, worker)) workers.emplace_back(consumer, worker);
    const std::size_t choices = sources.size() + workers.size() + requests_.size() + answers_.size();
    if (choices == 0) return false;
    auto choice = static_cast<std::size_t>(below(choices));
    if (choice < sources.size()) {
      produce(sources[choice]);
    } else if ((choice -= sources.size()) < workers.size()) {
      const auto [consumer, worker] = workers[choice];
      busy_[consumer][worker] = false;
      const auto before = static_cast<int>(consumers_[consumer].window(worker));
      send(static_cast<int>(consumer),
           consumers_[consumer].processed(worker, std::exponential_distribution(0.2)(random_), now_));
      largest_step_ = std::max(largest_step_, std::abs(static_cast<int>(consumers_[consumer].window(worker)) - before));
    } else if ((choice -= workers.size()) < requests_.size()) {
      const auto flight = take(requests_, choice);
      answer(flight.to, producers_[static_cast<std::size_t>(flight.to)].receive(flight.from, flight.message, now_));
    } else {
      const auto flight = take(answers_, choice - requests_.size());
      send(flight.to, consumers_[static_cast<std::size_t>(flight.to)].receive(flight.from, flight.message, now_));
    }
    return true;
  }

  bool try_to_take(std::size_t consumer, std::size_t worker) {
    StreamConsumer::Sends out;
    const auto buffer = consumers_[consumer].take(worker, now_, out);
    send(static_cast<int>(consumer), out);
    if (!buffer) return false;
    EXPECT_TRUE(processed_.insert(*buffer).second) << "buffer " << *buffer << " came twice";
    return busy_[consumer][worker] = true;
  }

  void produce(int number) {
    StreamProducer& producer = producers_[static_cast<std::size_t>(number)];
    if (left_[static_cast<std::size_t>(number)]-- == 0) return answer(number, producer.end());
    answer(number, producer.insert({next_id_++, {1, std::uniform_real_distribution(0.5, 30.0)(random_)}}, now_));
  }

  void send(int consumer, const StreamConsumer::Sends& sends) {
    for (const auto& [producer, message] : sends) requests_.push_back({consumer, producer, message});
  }
  void answer(int producer, const StreamProducer::Sends& sends) {
    for (const auto& [consumer, message] : sends) answers_.push_back({producer, consumer, message});
  }

  void check() {
    for (std::size_t consumer = 0; consumer < consumers_.size(); ++consumer)
      for (std::size_t worker = 0; worker < busy_[consumer].size(); ++worker) {
        EXPECT_GE(consumers_[consumer].window(worker), 1u);
        EXPECT_LE(consumers_[consumer].window(worker), limit_);
        EXPECT_LE(consumers_[consumer].requested(worker), limit_);
      }
  }

  std::mt19937_64 random_;
  double now_ = 0;
  std::vector<int> left_;  // buffers to come of each producer; -1 once it has ended
  std::vector<StreamProducer> producers_;
  std::vector<StreamConsumer> consumers_;
  std::vector<std::vector<bool>> busy_;
  std::deque<Flight<ToProducer>> requests_;
  std::deque<Flight<ToConsumer>> answers_;
  std::set<BufferId> processed_;
  BufferId next_id_ = 0;
  unsigned limit_ = 0;
  int largest_step_ = 0;
};

/// A core and a GPU share a queue; what was asked for each comes from one producer.
TEST(StreamConsumer, UnderOddsACoreThatWaitsForItsOwnRequestLeavesTheGpusBuffersAlone) {
  for (const auto& [name, core_takes] : {std::pair{"odds", false}, {"ddwrr", true}, {"ddfcfs", true}}) {
    SCOPED_TRACE(name);
    StreamConsumer consumer(policy(name), 2, {kCpu, kGpu}, 1, {.window = 1});
    const StreamConsumer::Sends asked = consumer.start(0);
    ASSERT_EQ(asked.size(), 2U);
    const auto ticket = [&](std::size_t i) { return std::get<BufferRequest>(asked[i].second).ticket; };
    consumer.receive(0, BufferSent{ticket(1), {7, {0.05, 20}}, 0}, 1);
    StreamConsumer::Sends out;
    if (core_takes) {
      EXPECT_EQ(consumer.take(0, 1, out), 7);
      continue;
    }
    EXPECT_FALSE(consumer.take(0, 1, out)) << "its own is on its way";
    consumer.receive(0, BufferSent{ticket(0), {8, {0.5, 2}}, 0}, 2);
    EXPECT_EQ(consumer.take(0, 2, out), 8);
    EXPECT_EQ(consumer.take(1, 2, out), 7);
  }
}

TEST(StreamConsumer, UnderOddsACoreHelpsOnceNothingMoreComesForIt) {
  StreamConsumer consumer(policy("odds"), 2, {kCpu, kGpu}, 1, {});
  const StreamConsumer::Sends asked = consumer.start(0);
  consumer.receive(0, BufferSent{std::get<BufferRequest>(asked[1].second).ticket, {7, {0.05, 20}}, 0}, 1);
  consumer.receive(0, NoBuffer{std::get<BufferRequest>(asked[0].second).ticket}, 2);
  StreamConsumer::Sends out;
  EXPECT_EQ(consumer.take(0, 2, out), 7);
}

/// n producers, m consumers and their workers, from a seed.
struct Shape {
  explicit Shape(std::mt19937_64& random) {
    const auto between = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
    producers = between(1, 4);
    each = between(0, 40);
    consumers.resize(static_cast<std::size_t>(between(1, 4)));
    for (auto& workers : consumers)
      for (int worker = between(1, 4); worker > 0; --worker) workers.push_back(random() % 2);
  }
  int producers, each;
  std::vector<std::vector<std::size_t>> consumers;
};

/// Under every policy, from many seeds, until something fails.
template <class Check>
void for_random_streams(Check check) {
  for (const StreamPolicy& known : kStreamPolicies)
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(std::string(known.name) + ", seed " + std::to_string(seed));
      std::mt19937_64 random(seed);
      const Shape shape(random);
      Stream stream(known, shape.producers, shape.consumers, shape.each, {.window = 3, .most = 8}, random());
      check(known, shape, stream, random);
      if (testing::Test::HasFailure()) return;
    }
}

TEST(Streams, EveryBufferArrivesOnceAndEverybodyHearsOfTheEnd) {
  for_random_streams([](const StreamPolicy& known, const Shape& shape, Stream& stream, std::mt19937_64&) {
    stream.run();
    EXPECT_TRUE(stream.over());
    EXPECT_EQ(stream.processed().size(), static_cast<std::size_t>(shape.producers * shape.each));
    EXPECT_LE(stream.largest_step(), known.dynamic ? 1 : 0);
  });
}

TEST(Streams, ConsumersThatLeaveGetWhatTheyAskedForAndTheOthersTheRest) {
  for_random_streams([](const StreamPolicy&, const Shape& shape, Stream& stream, std::mt19937_64& random) {
    bool some_stay = false;
    for (std::size_t consumer = 0; consumer < shape.consumers.size(); ++consumer) {
      stream.run(std::uniform_int_distribution(0, 60)(random));
      if (random() % 3 == 0)
        some_stay = true;
      else
        stream.leave(consumer);
    }
    stream.run();
    EXPECT_TRUE(!some_stay || stream.over());
    stream.abandon_deserted();
    stream.run();
    EXPECT_TRUE(stream.over());
    const auto all = static_cast<std::size_t>(shape.producers * shape.each);
    EXPECT_LE(stream.processed().size(), all);
    EXPECT_TRUE(!some_stay || stream.processed().size() == all);
  });
}

/// One producer full of buffers and a GPU that asks: what the stream sends it first.
BufferId first_sent(std::string_view name) {
  StreamProducer producer(policy(name), 2, 1);
  producer.insert({1, {0.9, 2}}, 0);
  producer.insert({2, {1.0, 30}}, 0);
  const auto sends = producer.receive(0, BufferRequest{1, kGpu}, 0);
  return std::get<BufferSent>(sends.at(0).second).buffer.id;
}

TEST(Streams, OnlyOddsChoosesAtTheSender) {
  EXPECT_EQ(first_sent("ddfcfs"), 1);
  EXPECT_EQ(first_sent("ddwrr"), 1);
  EXPECT_EQ(first_sent("odds"), 2);
}

TEST(Streams, DdwrrAndOddsChooseAtTheReceiver) {
  for (const StreamPolicy& known : kStreamPolicies) {
    StreamConsumer consumer(known, 2, {kGpu}, 1, {.window = 2});
    auto asked = consumer.start(0);
    consumer.receive(0, BufferSent{1, {1, {1, 2}}, 0}, 1);
    if (known.dynamic) asked = consumer.processed(0, 0.1, 1);  // latency 1 s: the window grows to 2
    consumer.receive(0, BufferSent{2, {2, {1, 30}}, 0}, 1);
    StreamConsumer::Sends out;
    EXPECT_EQ(consumer.take(0, 1, out), known.sorted_receiver ? 2 : 1) << known.name;
  }
}

TEST(Streams, AWindowFollowsLatencyOverProcessingTime) {
  StreamConsumer consumer(policy("odds"), 2, {kGpu}, 1, {});
  std::int64_t ticket = 0;
  BufferId id = 0;
  double now = 0;
  std::size_t pending = consumer.start(now).size();
  const auto cycle = [&](double latency, double processing) {
    now += latency;
    StreamConsumer::Sends out;
    for (; pending > 0; --pending)
      for (const auto& more : consumer.receive(0, BufferSent{++ticket, {++id, {1, 5}}, 0}, now)) out.push_back(more);
    EXPECT_TRUE(consumer.take(0, now, out));
    for (const auto& more : consumer.processed(0, processing, now)) out.push_back(more);
    pending += out.size();
  };
  for (int i = 0; i < 20; ++i) cycle(4, 1);
  EXPECT_EQ(consumer.window(0), 4u);
  for (int i = 0; i < 20; ++i) cycle(1, 1);
  EXPECT_EQ(consumer.window(0), 1u);
}

TEST(Streams, WaitingForAProducerIsNoLatency) {
  StreamProducer producer(policy("odds"), 1, 1);
  EXPECT_TRUE(producer.receive(0, BufferRequest{1, 0}, 10).empty());
  const auto sends = producer.insert({1, {1}}, 110);
  EXPECT_EQ(std::get<BufferSent>(sends.at(0).second).held_seconds, 100);
}

}  // namespace
}  // namespace starpath::mpi
