// MPI, reduced to what the control of a cluster needs: bytes from rank to rank.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace starpath::cluster {

/// How many processes the launcher says it has started together with this one; 1 without a launcher. Does not start
/// MPI.
int launched_ranks();

/// Whether this build has MPI (with_mpi/, else no_mpi/).
bool has_mpi();

/// What ranks on one machine share: where this one stands among those that may use the same cores.
struct CoreShare {
  int number, of;  // this one's place, and how many they are
};

/// MPI from start to stop; one in a process. All members but the constructor, the destructor and core_share() are for
/// one thread. Throws Error{runtime} when MPI fails.
class Network {
 public:
  struct Message {
    int from;
    std::string bytes;
  };

  /// Waits for all ranks to start. Throws Error{usage} without MPI.
  Network();
  /// All ranks must come here.
  ~Network();
  Network(const Network&) = delete;
  Network& operator=(const Network&) = delete;

  int rank() const;
  int size() const;
  const std::string& host_of(int rank) const;
  /// Ranks on this machine that the launcher has bound to the same cores, or to none.
  CoreShare core_share() const;

  /// Returns at once. Messages from one rank to another arrive in their order.
  void send(int to, std::string bytes);
  /// The next message that is here, without waiting.
  std::optional<Message> receive();
  /// Whether MPI has taken all that was sent.
  bool all_sent();
  /// Ends the processes of all ranks, with this exit code.
  [[noreturn]] void abort(int code);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace starpath::cluster
