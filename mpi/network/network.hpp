// MPI (with_mpi/, else no_mpi/), reduced to the needs of a job's control: bytes from rank to rank.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace starpath::mpi {

/// How many processes the launcher says it has started together with this one; 1 without a launcher. Does not start
/// MPI.
int launched_ranks();

/// The number of this one among them, as the launcher says it.
int launched_rank();

/// The place of this rank among the ranks of its machine that may use the same cores.
struct CoreShare {
  int number, of;  // this one's place, and how many they are
  int on_machine;  // all ranks of the machine: those bound to other cores too
};

/// Whether another library uses MPI beside a Network, as StarPU-MPI does.
enum class MpiUse { alone, shared };

/// Protocols beside each other; the number is the tag of their messages.
enum class Channel { manager = 1, stream = 2, data = 3, leaving = 4 };

/// The messages sent to other ranks.
struct Traffic {
  std::int64_t messages = 0, bytes = 0;
};

/// What is to be done where not all programs that were started together start MPI.
struct StartWatch {
  double patience = 60;  // seconds until it is told; after ten times as many the process ends
  std::function<void(const std::string&)> tell = {};  // a line for people, on another thread; none: waits for ever
};

/// MPI from start to stop; one in a process. All members but the constructor, the destructor, core_share() and sent()
/// are for one thread. Throws Error{runtime} when MPI fails.
class Network {
 public:
  struct Message {
    int from;
    Channel channel;
    std::string bytes;
  };

  /// Waits for all ranks to start. Throws Error{usage} without MPI. Where the `watch` ends the process, its code is
  /// that of ErrorKind::runtime: a launcher then ends all.
  explicit Network(MpiUse use = MpiUse::alone, const StartWatch& watch = {});
  /// All ranks must come here. Without end_within() it waits for them as long as it takes.
  ~Network();
  /// When the destructor takes longer, `tell` is called, on another thread, and the process ends with the code of
  /// ErrorKind::runtime: a launcher then ends all.
  void end_within(double seconds, std::function<void()> tell) {
    seconds_to_end_ = seconds;
    tell_stuck_ = std::move(tell);
  }
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  int rank() const;
  int size() const;
  const std::string& host_of(int rank) const;
  /// "rank 3 on node7".
  std::string name_of(int rank) const { return "rank " + std::to_string(rank) + " on " + host_of(rank); }
  /// Ranks on this machine that the launcher has bound to the same cores, or to none.
  CoreShare core_share() const;

  /// A communicator for other users of MPI, as the integer that MPI_Comm_c2f gives.
  int shared_communicator() const;

  /// Returns at once. Messages from one rank to another arrive in their order.
  void send(int to, Channel channel, std::string bytes);
  Traffic sent() const { return {messages_, bytes_}; }
  /// The next message that is here, without waiting.
  std::optional<Message> receive();
  /// Whether MPI has taken all that was sent.
  bool all_sent();
  /// Ends the processes of all ranks, with this exit code.
  [[noreturn]] static void abort(int code);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
  std::atomic<std::int64_t> messages_{0}, bytes_{0};
  double seconds_to_end_ = 0;
  std::function<void()> tell_stuck_;
};

}  // namespace starpath::mpi
