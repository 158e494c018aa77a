// The network over MPI.
#include "mpi/network/network.hpp"

#include <fmt/format.h>
#include <mpi.h>
#include <sched.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <iterator>
#include <limits>
#include <list>
#include <mutex>
#include <optional>
#include <stop_token>
#include <thread>

#include "base/error.hpp"

namespace starpath::mpi {
namespace {

void check(int result, const char* what) {
  if (result == MPI_SUCCESS) return;
  std::array<char, MPI_MAX_ERROR_STRING> text{};
  int length = 0;
  MPI_Error_string(result, text.data(), &length);
  throw Error(ErrorKind::runtime, fmt::format("MPI failed to {}: {}", what, text.data()));
}

/// The data that ranks of a machine compare, and report of each other.
struct Node {
  std::array<char, MPI_MAX_PROCESSOR_NAME> host{};
  cpu_set_t cores;
};

Node this_node() {
  Node node{};
  int length = 0;
  MPI_Get_processor_name(node.host.data(), &length);
  CPU_ZERO(&node.cores);
  sched_getaffinity(0, sizeof node.cores, &node.cores);
  return node;
}

/// Calls `act` on another thread after so many seconds, unless the scope ends first.
class Late {
 public:
  Late(double seconds, std::function<void()> act)
      : thread_([seconds, act = std::move(act)](const std::stop_token& in_time) {
          std::mutex mutex;
          std::condition_variable_any never;
          std::unique_lock lock(mutex);
          never.wait_for(lock, in_time, std::chrono::duration<double>(seconds), [] { return false; });
          if (!in_time.stop_requested()) act();
        }) {}

 private:
  std::jthread thread_;
};

[[noreturn]] void end_process() { std::_Exit(static_cast<int>(ErrorKind::runtime)); }

constexpr double kStartsWithin = 10;  // times the patience

/// MPI waits for every program that the launcher started, also for one that ends without it.
void start(int needed, int& provided, const StartWatch& watch) {
  std::optional<Late> tell, end;
  if (watch.tell) {
    tell.emplace(watch.patience, [&watch] {
      watch.tell(
          fmt::format("MPI has waited for {:g} s for all programs that were started together, and ends after "
                      "{:g} s: each of them must be starpath",
                      watch.patience, kStartsWithin * watch.patience));
    });
    end.emplace(kStartsWithin * watch.patience, end_process);
  }
  check(MPI_Init_thread(nullptr, nullptr, needed, &provided), "start");
}

}  // namespace

struct Network::Impl {
  struct Sending {
    std::string bytes;
    MPI_Request request = MPI_REQUEST_NULL;
  };

  MPI_Comm comm = MPI_COMM_NULL, shared = MPI_COMM_NULL;
  int rank = 0, size = 0;
  std::vector<std::string> hosts;
  CoreShare share{0, 1, 1};
  std::list<Sending> sending;

  void ask_around() {
    const Node mine = this_node();
    std::vector<Node> nodes(static_cast<std::size_t>(size));
    check(MPI_Allgather(&mine, sizeof mine, MPI_BYTE, nodes.data(), sizeof mine, MPI_BYTE, comm), "gather the hosts");
    share = {0, 0, 0};
    for (int other = 0; other < size; ++other) {
      const Node& node = nodes[static_cast<std::size_t>(other)];
      hosts.emplace_back(node.host.data());
      if (node.host != mine.host) continue;
      ++share.on_machine;
      if (!CPU_EQUAL(&node.cores, &mine.cores)) continue;
      ++share.of;
      share.number += other < rank;
    }
  }

  void drop_sent() {
    for (auto message = sending.begin(); message != sending.end();) {
      int done = 0;
      check(MPI_Test(&message->request, &done, MPI_STATUS_IGNORE), "send a message");
      message = done != 0 ? sending.erase(message) : std::next(message);
    }
  }
};

Network::Network(MpiUse use, const StartWatch& watch) : impl_(std::make_unique<Impl>()) {
  const int needed = use == MpiUse::shared ? MPI_THREAD_MULTIPLE : MPI_THREAD_SERIALIZED;
  int provided = MPI_THREAD_SINGLE;
  start(needed, provided, watch);
  if (provided < needed)
    throw Error(ErrorKind::runtime,
                fmt::format("this MPI does not allow threads: use one built with {} or more",
                            use == MpiUse::shared ? "MPI_THREAD_MULTIPLE" : "MPI_THREAD_SERIALIZED"));
  check(MPI_Comm_dup(MPI_COMM_WORLD, &impl_->comm), "make a communicator");
  check(MPI_Comm_set_errhandler(impl_->comm, MPI_ERRORS_RETURN), "set an error handler");
  check(MPI_Comm_rank(impl_->comm, &impl_->rank), "tell the rank");
  check(MPI_Comm_size(impl_->comm, &impl_->size), "tell the number of ranks");
  // In any case: ranks that were started with other options must meet, to be told so.
  check(MPI_Comm_dup(MPI_COMM_WORLD, &impl_->shared), "make a communicator");
  impl_->ask_around();
}

/// A large message leaves its sender only once it is received. So messages that still come for this rank are received
/// and dropped until all ranks have sent everything; this rank may have failed while it fetched data. A rank that dies
/// ends the job.
Network::~Network() {
  std::optional<Late> watch;
  if (tell_stuck_)
    watch.emplace(seconds_to_end_, [this] {
      tell_stuck_();
      end_process();
    });
  try {
    bool told = false;
    int all_told = 0;
    for (MPI_Request everybody = MPI_REQUEST_NULL; all_told == 0;) {
      if (!told && all_sent()) {
        check(MPI_Ibarrier(impl_->comm, &everybody), "tell the others that all is sent");
        told = true;
      }
      if (told) check(MPI_Test(&everybody, &all_told, MPI_STATUS_IGNORE), "wait for the others");
      if (all_told == 0 && !receive()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  } catch (const std::exception&) {
    // Without MPI there is nobody to wait for.
  }
  MPI_Comm_free(&impl_->shared);
  MPI_Comm_free(&impl_->comm);
  MPI_Finalize();
}

int Network::rank() const { return impl_->rank; }
int Network::size() const { return impl_->size; }
const std::string& Network::host_of(int rank) const { return impl_->hosts[static_cast<std::size_t>(rank)]; }
CoreShare Network::core_share() const { return impl_->share; }
int Network::shared_communicator() const { return MPI_Comm_c2f(impl_->shared); }

void Network::send(int to, Channel channel, std::string bytes) {
  if (bytes.size() > static_cast<std::size_t>(std::numeric_limits<int>::max()))
    throw Error(ErrorKind::runtime,
                fmt::format("a message of {} bytes to rank {} is longer than MPI takes (2 GiB); use smaller tiles",
                            bytes.size(), to));
  impl_->drop_sent();
  ++messages_;
  bytes_ += static_cast<std::int64_t>(bytes.size());
  Impl::Sending& message = impl_->sending.emplace_back(Impl::Sending{std::move(bytes)});
  check(MPI_Isend(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_CHAR, to, static_cast<int>(channel),
                  impl_->comm, &message.request),
        "send a message");
}

std::optional<Network::Message> Network::receive() {
  int here = 0, bytes = 0;
  MPI_Status status;
  check(MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, impl_->comm, &here, &status), "look for messages");
  if (here == 0) return std::nullopt;
  check(MPI_Get_count(&status, MPI_CHAR, &bytes), "measure a message");
  Message message{status.MPI_SOURCE, static_cast<Channel>(status.MPI_TAG),
                  std::string(static_cast<std::size_t>(bytes), '\0')};
  check(MPI_Recv(message.bytes.data(), bytes, MPI_CHAR, status.MPI_SOURCE, status.MPI_TAG, impl_->comm,
                 MPI_STATUS_IGNORE),
        "receive a message");
  return message;
}

bool Network::all_sent() {
  impl_->drop_sent();
  return impl_->sending.empty();
}

void Network::abort(int code) {
  MPI_Abort(MPI_COMM_WORLD, code);
  std::_Exit(code);
}

}  // namespace starpath::mpi
