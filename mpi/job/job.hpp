// The ranks of a job as a run over tiles sees them: a source of tiles, and a thread that talks to the other ranks.
#pragma once
#include <atomic>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/error.hpp"
#include "mpi/job/command_queue.hpp"
#include "mpi/job/death_watch.hpp"
#include "mpi/job/heartbeat_sender.hpp"
#include "mpi/job/job_abort.hpp"
#include "mpi/job/job_end.hpp"
#include "mpi/job/manager_side.hpp"
#include "mpi/job/peer_inbox.hpp"
#include "mpi/job/run_link.hpp"
#include "mpi/job/worker_side.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::mpi {

struct JobOptions {
  /// Seconds after which a silent rank counts as lost.
  double patience = 60;
  /// Once true, the ranks finish what they have begun and leave the rest.
  const std::atomic<bool>* stop = nullptr;
  /// Called when a rank or MPI is lost, or when a rank is of another version, on the thread of the network. The line
  /// names rank and host. Then the processes of all ranks end at once, with the code of ErrorKind::runtime or mismatch.
  /// Also called before that, on another thread, where MPI does not start within the patience (StartWatch).
  std::function<void(const std::string&)> on_lost;
  MpiUse use = MpiUse::alone;
};

/// One in a process. All ranks of the launcher's job construct and destroy it. Rank 0 manages and works too. Each rank
/// has a thread for the network (the Worker Communication Controller of the source), so that asking for tiles overlaps
/// with work on others.
///
/// In this order: rank 0 calls manage() and the others work(), once StarPU runs there; the run; then rank 0 finish()
/// and the others bye(). In place of any of these, fail(). Members but tell() are for one thread. Source:
/// hybrid-pipelines-2012 section III.
class Job {
 public:
  explicit Job(JobOptions options);
  /// Waits for all ranks, and watches them until they end MPI.
  ~Job();
  Job(const Job&) = delete;
  Job& operator=(const Job&) = delete;

  int rank() const { return network_.rank(); }
  int size() const { return network_.size(); }
  CoreShare core_share() const { return network_.core_share(); }
  /// "rank 3 on node7".
  std::string name_of(int rank) const { return network_.name_of(rank); }

  /// Rank 0, before manage(), ahead of steps that must not happen if a rank cannot start: waits until the others have
  /// called work(). Throws an Error naming rank and host when one of them gave up before, or differs.
  void wait_for_ranks(const Agreement& agreement);
  /// Rank 0: tiles whose stage instances are to be handed out. `takers`: how many of the ranks ask for some; 0 for all.
  TileSource& manage(const Agreement& agreement, const std::vector<std::int64_t>& tiles, int takers = 0,
                     const workflow::AbstractWorkflow& workflow = workflow::single_stage("tile"));
  /// Other ranks: waits until the manager takes this rank in. Throws Error{mismatch} when it does not.
  TileSource& work(const Agreement& agreement);

  /// Within the run, for ranks that exchange buffers: introduces this rank to all, and waits until every rank has done
  /// so. `on_peer` gets the messages that other ranks tell() this one. Returns the introductions by rank; nullopt when
  /// the job is to stop before.
  std::optional<std::vector<std::string>> begin(const std::string& introduction, OnPeer on_peer);
  void tell(int to, const StreamMessage& message);
  /// The job is to stop, because this rank must: as when the user wants it. The rank goes on to the end of its run.
  void stop();
  /// Ends the processes of all ranks at once, naming this one and why.
  void abort(const std::string& reason);
  /// Thread-safe.
  Traffic sent() const { return network_.sent(); }
  int shared_communicator() const { return network_.shared_communicator(); }

  /// Other ranks: everything is closed. `books` go to rank 0.
  void bye(const std::string& books);
  /// This rank gives up. Rank 0 waits until the others have finished what they have begun.
  void fail(ErrorKind kind, const std::string& reason);
  /// Rank 0: the outcome of each rank. Throws an Error naming rank and host, of the kind that a rank failed with.
  std::vector<RankResult> finish();

 private:
  [[noreturn]] void throw_failure(const RankFailure& failure) const;
  void talk(const std::stop_token& ended);
  bool receive();
  void receive(const Network::Message& message);
  void check_stop();
  void to_manager(const ToManager& message);
  void to_worker(int rank, const ToWorker& message);

  Network network_;
  CommandQueue commands_;
  RunLink run_;

  // For the thread of the network.
  const std::atomic<bool>* stop_;  // nullptr once the job has been told
  JobAbort abort_;
  DeathWatch deaths_;
  HeartbeatSender heartbeat_;
  JobEnd job_end_;
  PeerInbox peers_;
  WorkerSide worker_;
  std::unique_ptr<ManagerSide> manager_;  // on rank 0

  std::jthread thread_;  // last
};

}  // namespace starpath::mpi
