// The thread that talks to the other ranks, and the run's requests to it.
#include "mpi/job/job.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "mpi/network/clock.hpp"
#include "mpi/network/message_codec.hpp"

namespace starpath::mpi {
namespace {

using namespace std::chrono_literals;

constexpr auto kShortestPause = 20us, kLongestPause = 1000us;

}  // namespace

Job::Job(JobOptions options)
    : network_(options.use, {options.patience, options.on_lost}),
      stop_(options.stop),
      abort_(network_, options.on_lost),
      deaths_(network_, options.patience, abort_),
      heartbeat_(network_, deaths_, options.patience),
      job_end_(network_, deaths_),
      worker_(
          rank(), commands_, run_, [this](const ToManager& message) { to_manager(message); },
          [this](int to, const DataMessage& message) { network_.send(to, Channel::data, encode(message)); }),
      manager_(rank() != 0
                   ? nullptr
                   : std::make_unique<ManagerSide>(
                         network_, run_, deaths_, [this](int to, const ToWorker& message) { to_worker(to, message); })),
      thread_([this](const std::stop_token& ended) { talk(ended); }) {
  network_.end_within(options.patience, [tell = options.on_lost, patience = options.patience, name = name_of(rank())] {
    tell(fmt::format("{} waits for another rank to end MPI for {:.0f} s: {}", name, patience, kHowToGoOn));
  });
}

Job::~Job() {
  commands_.call([this] { thread_.request_stop(); });
}

void Job::wait_for_ranks(const Agreement& agreement) {
  commands_.call([&] { manager_->call_roll(agreement); });
  if (const auto failure = manager_->wait_for_roll()) throw_failure(*failure);
}

TileSource& Job::manage(const Agreement& agreement, const std::vector<std::int64_t>& tiles, int takers,
                        const workflow::AbstractWorkflow& workflow) {
  commands_.call([&] {
    manager_->open(agreement, tiles, takers, workflow);
    worker_.apply(agreement);
  });
  return worker_;
}

TileSource& Job::work(const Agreement& agreement) {
  commands_.post([this, agreement] { worker_.apply(agreement); });
  if (const auto refusal = worker_.wait_for_refusal()) throw Error(ErrorKind::mismatch, *refusal);
  return worker_;
}

std::optional<std::vector<std::string>> Job::begin(const std::string& introduction, OnPeer on_peer) {
  commands_.call([&] {
    peers_.listen(std::move(on_peer));
    worker_.introduce(introduction);
  });
  return worker_.wait_for_introductions();
}

void Job::tell(int to, const StreamMessage& message) {
  commands_.post([this, to, message] { network_.send(to, Channel::stream, encode(message)); });
}

void Job::stop() {
  commands_.post([this] { worker_.interrupt(); });
}

void Job::abort(const std::string& reason) {
  commands_.call([&] { abort_(ErrorKind::runtime, fmt::format("{}: {}", name_of(rank()), reason)); });
}

void Job::bye(const std::string& books) {
  commands_.call([&] { worker_.bye(books); });
}

void Job::fail(ErrorKind kind, const std::string& reason) {
  commands_.call([&] {
    if (worker_.refused()) return;  // the manager knows, and may not listen any more
    if (manager_)
      manager_->fail(static_cast<int>(kind), reason);
    else
      worker_.fail(static_cast<int>(kind), reason);
  });
  if (manager_) manager_->wait_until_over();
}

std::vector<RankResult> Job::finish() {
  std::vector<RankResult> results;
  std::optional<RankFailure> failure;
  commands_.call([&] {
    failure = manager_->failure();
    results = manager_->results();
  });
  if (failure) throw_failure(*failure);
  return results;
}

void Job::throw_failure(const RankFailure& failure) const {
  throw Error(static_cast<ErrorKind>(failure.kind), fmt::format("{}: {}", name_of(failure.rank), failure.reason));
}

void Job::talk(const std::stop_token& ended) {
  try {
    auto last_work = std::chrono::steady_clock::now();
    while (!ended.stop_requested() || !job_end_.over()) {
      if (ended.stop_requested()) job_end_.say();
      const bool commanded = commands_.run(), worked = receive() || commanded;
      check_stop();
      const double time = seconds_now();
      heartbeat_.beat(time);
      deaths_.check(time);
      const auto now = std::chrono::steady_clock::now();
      if (worked) {
        last_work = now;
        continue;
      }
      // Each side so lengthens the way to an answer by a quarter at most, and a long silence costs little.
      commands_.wait(std::clamp<std::chrono::nanoseconds>((now - last_work) / 4, kShortestPause, kLongestPause));
    }
  } catch (const Error& error) {
    abort_(error.kind(), fmt::format("{}: {}", name_of(rank()), error.what()));
  } catch (const std::exception& error) {
    abort_(ErrorKind::runtime, fmt::format("{}: {}", name_of(rank()), error.what()));
  }
}

bool Job::receive() {
  bool any = false;
  while (const auto message = network_.receive()) {
    receive(*message);
    any = true;
  }
  return any;
}

void Job::receive(const Network::Message& message) {
  deaths_.heard(message.from);
  if (message.channel == Channel::leaving) return job_end_.heard(message.from);
  if (job_end_.begun()) return;
  const auto known = [&](const auto& decoded) {
    if (!decoded)
      throw Error(ErrorKind::mismatch,
                  fmt::format("{} sent what this starpath does not know, {:.80}: install the same on every node",
                              name_of(message.from), message.bytes));
    return *decoded;
  };
  if (message.channel == Channel::stream)
    peers_.receive(message.from, known(decode_stream(message.bytes)));
  else if (message.channel == Channel::data)
    worker_.receive(message.from, known(decode_data(message.bytes)));
  else if (manager_)
    manager_->receive(message.from, known(decode_to_manager(message.bytes)));
  else
    worker_.receive(known(decode_to_worker(message.bytes)));
}

void Job::check_stop() {
  const bool listens = manager_ ? manager_->is_open() : !worker_.departed();
  if (stop_ == nullptr || !*stop_ || !listens) return;
  stop_ = nullptr;
  worker_.interrupt();
}

void Job::to_manager(const ToManager& message) {
  if (manager_)
    manager_->receive(0, message);
  else
    network_.send(0, Channel::manager, encode(message));
}

void Job::to_worker(int rank, const ToWorker& message) {
  if (rank == 0)
    worker_.receive(message);
  else
    network_.send(rank, Channel::manager, encode(message));
}

}  // namespace starpath::mpi
