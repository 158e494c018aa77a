// The network over queues in memory.
#include "mpi/network/network.hpp"

#include <cstdlib>
#include <deque>
#include <mutex>
#include <random>
#include <thread>

#include "tests/mpi/in_process/switchboard.hpp"

namespace starpath::mpi {
namespace {

struct Inbox {
  std::mutex mutex;
  std::vector<std::deque<std::pair<Channel, std::string>>> from;  // by rank
  std::mt19937 random;
};

std::deque<Inbox> inboxes;
thread_local int this_rank = 0;

}  // namespace

void on_ranks(int ranks, unsigned seed, const std::function<void(int rank)>& body) {
  inboxes.clear();
  inboxes.resize(static_cast<std::size_t>(ranks));
  for (Inbox& inbox : inboxes) {
    inbox.from.resize(inboxes.size());
    inbox.random.seed(seed++);
  }
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank)
    threads.emplace_back([&body, rank] {
      this_rank = rank;
      body(rank);
    });
  for (std::thread& thread : threads) thread.join();
}

struct Network::Impl {
  int rank;
  std::vector<std::string> hosts;
};

Network::Network(MpiUse, const StartWatch&) : impl_(std::make_unique<Impl>(Impl{this_rank, {}})) {
  for (std::size_t rank = 0; rank < inboxes.size(); ++rank) impl_->hosts.push_back("node" + std::to_string(rank));
}
Network::~Network() = default;
int Network::rank() const { return impl_->rank; }
int Network::size() const { return static_cast<int>(inboxes.size()); }
const std::string& Network::host_of(int rank) const { return impl_->hosts[static_cast<std::size_t>(rank)]; }
CoreShare Network::core_share() const { return {0, 1, 1}; }
int Network::shared_communicator() const { return 0; }

void Network::send(int to, Channel channel, std::string bytes) {
  ++messages_;
  bytes_ += static_cast<std::int64_t>(bytes.size());
  Inbox& inbox = inboxes[static_cast<std::size_t>(to)];
  const std::lock_guard lock(inbox.mutex);
  inbox.from[static_cast<std::size_t>(impl_->rank)].emplace_back(channel, std::move(bytes));
}

std::optional<Network::Message> Network::receive() {
  Inbox& inbox = inboxes[static_cast<std::size_t>(impl_->rank)];
  const std::lock_guard lock(inbox.mutex);
  const auto from = std::uniform_int_distribution<std::size_t>(0, inbox.from.size() - 1)(inbox.random);
  auto& queue = inbox.from[from];
  if (queue.empty()) return std::nullopt;  // though there may be some of other ranks: they take longer
  Message message{static_cast<int>(from), queue.front().first, std::move(queue.front().second)};
  queue.pop_front();
  return message;
}

bool Network::all_sent() { return true; }
void Network::abort(int) { std::abort(); }

}  // namespace starpath::mpi
