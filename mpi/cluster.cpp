// The thread that talks to the other ranks.
#include "mpi/cluster.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <numeric>
#include <utility>

#include "mpi/clock.hpp"
#include "mpi/message_codec.hpp"

namespace starpath::cluster {
namespace {

using namespace std::chrono_literals;

constexpr auto shortest_pause = 20us, longest_pause = 1000us;

/// Rank 0 watches everybody, everybody watches rank 0.
std::vector<int> peers_of(int rank, int size) {
  if (rank != 0) return {0};
  std::vector<int> others(static_cast<std::size_t>(size - 1));
  std::iota(others.begin(), others.end(), 1);
  return others;
}

}  // namespace

Cluster::Cluster(ClusterOptions options)
    : options_(std::move(options)),
      network_(options_.use),
      pulse_(peers_of(network_.rank(), network_.size()), options_.patience, seconds_now()),
      thread_([this] { work_loop(); }) {}

Cluster::~Cluster() {
  wait_for([this] { ending_ = true; });
  thread_.join();
}

std::string Cluster::name_of(int rank) const { return fmt::format("rank {} on {}", rank, network_.host_of(rank)); }

TileSource& Cluster::manage(const Agreement& agreement, std::vector<std::int64_t> tiles, int takers) {
  wait_for([&] {
    create_manager(agreement, std::move(tiles), takers);
    to_manager(Hello{agreement});
  });
  return *this;
}

TileSource& Cluster::work(const Agreement& agreement) {
  post([this, agreement] { to_manager(Hello{agreement}); });
  if (const auto refusal = admitted_.get_future().get()) throw Error(ErrorKind::mismatch, *refusal);
  return *this;
}

std::optional<std::vector<std::string>> Cluster::begin(const std::string& introduction, OnPeer on_peer) {
  wait_for([&] {
    on_peer_ = std::move(on_peer);
    for (const auto& [from, message] : std::exchange(early_peers_, {})) on_peer_(from, message);
    to_manager(Ready{introduction});
  });
  return begun_.get_future().get();
}

void Cluster::tell(int to, const StreamMessage& message) {
  post([this, to, message] { network_.send(to, Channel::stream, encode(message)); });
}

void Cluster::stop() {
  post([this] { to_manager(Interrupted{}); });
}

void Cluster::abort(const std::string& reason) {
  wait_for([&] { end_job(ErrorKind::runtime, fmt::format("{}: {}", name_of(rank()), reason)); });
}

void Cluster::bye(const std::string& books) {
  wait_for([&] { to_manager(worker_.bye(books)); });
}

void Cluster::fail(ErrorKind kind, const std::string& reason) {
  wait_for([&] {
    if (refused_) return;  // the manager knows, and may not listen any more
    if (rank() != 0) return to_manager(worker_.failed(static_cast<int>(kind), reason));
    if (!manager_) create_manager({}, {}, 0);
    send(manager_->fail({0, static_cast<int>(kind), reason}));
    check_over();
  });
  if (rank() == 0) over_.get_future().wait();
}

std::vector<Cluster::RankResult> Cluster::finish() {
  std::vector<RankResult> results;
  std::optional<RankFailure> failure;
  wait_for([&] {
    failure = manager_->failure();
    for (int rank = 0; rank < size(); ++rank) results.push_back({manager_->finished(rank), manager_->books(rank)});
  });
  if (failure)
    throw Error(static_cast<ErrorKind>(failure->kind), fmt::format("{}: {}", name_of(failure->rank), failure->reason));
  return results;
}

void Cluster::start(TileSink& sink) {
  const std::lock_guard lock(sink_mutex_);
  sink_ = &sink;
  for (const auto& tell : std::exchange(untold_, {})) tell(sink);
}

void Cluster::request(std::size_t tiles) {
  post([this, tiles] { to_manager(worker_.request(static_cast<std::int64_t>(tiles))); });
}

void Cluster::finished(const TileDone& tile) {
  post([this, tile] {
    to_manager(worker_.finished({tile.index, tile.failed, tile.skipped, tile.found, tile.failure}));
  });
}

void Cluster::drained(std::size_t) {
  post([this] {
    if (rank() == 0)
      to_manager(worker_.bye(""));
    else
      tell_sink([](TileSink& sink) { sink.over(false); });
  });
}

void Cluster::leave() {
  const std::lock_guard lock(sink_mutex_);
  sink_ = nullptr;
}

void Cluster::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  changed_.notify_one();
}

void Cluster::wait_for(Command command) {
  const auto done = std::make_shared<std::promise<void>>();  // set_value() may still run when wait() has returned
  post([done, command = std::move(command)] {
    command();
    done->set_value();
  });
  done->get_future().wait();
}

void Cluster::tell_sink(std::function<void(TileSink&)> tell) {
  const std::lock_guard lock(sink_mutex_);
  if (sink_ != nullptr)
    tell(*sink_);
  else
    untold_.push_back(std::move(tell));
}

void Cluster::work_loop() {
  try {
    auto last_work = std::chrono::steady_clock::now();
    while (!ending_ || !network_.all_sent()) {
      const bool commanded = run_commands(), worked = receive() || commanded;
      look_after_ranks();
      const auto now = std::chrono::steady_clock::now();
      if (worked) {
        last_work = now;
        continue;
      }
      // Each side so lengthens the way to an answer by a quarter at most, and what is silent for long costs little.
      const auto pause = std::clamp<std::chrono::nanoseconds>((now - last_work) / 4, shortest_pause, longest_pause);
      std::unique_lock lock(mutex_);
      changed_.wait_for(lock, pause, [&] { return !commands_.empty(); });
    }
  } catch (const Error& error) {
    end_job(error.kind(), fmt::format("{}: {}", name_of(rank()), error.what()));
  } catch (const std::exception& error) {
    end_job(ErrorKind::runtime, fmt::format("{}: {}", name_of(rank()), error.what()));
  }
}

void Cluster::end_job(ErrorKind kind, const std::string& what) {
  options_.on_lost(what);
  network_.abort(static_cast<int>(kind));
}

bool Cluster::run_commands() {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (const Command& command : commands) command();
  return !commands.empty();
}

bool Cluster::receive() {
  bool any = false;
  while (const auto message = network_.receive()) {
    on_message(*message);
    any = true;
  }
  return any;
}

void Cluster::look_after_ranks() {
  if (options_.stop != nullptr && *options_.stop && !told_stop_ && (rank() != 0 || manager_) && !said_farewell_) {
    told_stop_ = true;
    to_manager(Interrupted{});
  }
  const double now = seconds_now();
  if (pulse_.beat(now))
    for (const int peer : pulse_.watched())
      network_.send(peer, Channel::manager, rank() == 0 ? encode(ToWorker{Alive{}}) : encode(ToManager{Alive{}}));
  if (const auto lost = pulse_.lost(now)) {
    end_job(ErrorKind::runtime,
            fmt::format("{} has not been heard of for {:.0f} s: the job ends; what was finished is kept, "
                        "continue with --resume",
                        name_of(*lost), options_.patience));
  }
}

void Cluster::on_message(const Network::Message& message) {
  pulse_.heard(message.from, seconds_now());
  const auto known = [&](const auto& decoded) {
    if (!decoded)
      throw Error(ErrorKind::mismatch,
                  fmt::format("{} sent what this starpath does not know, {:.80}: install the same on every node",
                              name_of(message.from), message.bytes));
    return *decoded;
  };
  if (message.channel == Channel::stream)
    on_peer_message(message.from, known(decode_stream(message.bytes)));
  else if (rank() == 0)
    to_manager(message.from, known(decode_to_manager(message.bytes)));
  else
    from_manager(known(decode_to_worker(message.bytes)));
}

void Cluster::on_peer_message(int from, const StreamMessage& message) {
  if (on_peer_)
    on_peer_(from, message);
  else
    early_peers_.emplace_back(from, message);
}

void Cluster::to_manager(const ToManager& message) {
  if (rank() == 0) return to_manager(0, message);
  network_.send(0, Channel::manager, encode(message));
  said_farewell_ = std::holds_alternative<Bye>(message) || std::holds_alternative<Failed>(message);
  if (said_farewell_) pulse_.forget(0);
}

void Cluster::to_manager(int from, const ToManager& message) {
  if (!manager_) {
    early_.emplace_back(from, message);
    return;
  }
  send(manager_->receive(from, message));
  if (!manager_->expects(from)) pulse_.forget(from);
  const auto* tile = std::get_if<Finished>(&message);
  if (tile != nullptr && from != 0) {
    const std::string failure = tile->failure.empty() ? "" : fmt::format("{}, {}", tile->failure, name_of(from));
    const TileDone done{tile->tile, tile->failed, tile->skipped, tile->found, failure};
    tell_sink([done](TileSink& sink) { sink.done_elsewhere(done); });
  }
  check_over();
}

void Cluster::send(const Manager::Sends& sends) {
  for (const auto& [to, message] : sends) {
    if (to == 0)
      from_manager(message);
    else
      network_.send(to, Channel::manager, encode(message));
  }
}

void Cluster::from_manager(const ToWorker& message) {
  const WorkerStep step = worker_.receive(message);
  if ((step.welcome || step.refused) && !admission_told_) {
    admission_told_ = true;
    refused_ = step.refused.has_value();
    if (refused_) pulse_.forget(0);
    admitted_.set_value(step.refused);
  }
  if (step.introductions) begun_.set_value(step.introductions);
  if (step.cancelled) begun_.set_value(std::nullopt);
  if (!step.tiles.empty()) tell_sink([tiles = step.tiles](TileSink& sink) { sink.give(tiles); });
  if (step.no_more || step.drop) tell_sink([drop = step.drop](TileSink& sink) { sink.no_more(drop); });
}

void Cluster::create_manager(const Agreement& agreement, std::vector<std::int64_t> tiles, int takers) {
  manager_.emplace(size(), agreement, std::move(tiles), takers);
  for (auto& [from, message] : std::exchange(early_, {})) to_manager(from, message);
}

void Cluster::check_over() {
  if (told_over_ || !manager_->over()) return;
  told_over_ = true;
  const bool interrupted = manager_->left() > 0;
  tell_sink([interrupted](TileSink& sink) { sink.over(interrupted); });
  over_.set_value();
}

}  // namespace starpath::cluster
