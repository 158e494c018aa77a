// The ranks of a job as a run over tiles sees them: a source of tiles, and a thread that talks to the others.
#pragma once
#include <atomic>
#include <condition_variable>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "mpi/network.hpp"
#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/pulse.hpp"
#include "mpi/protocol/stream_messages.hpp"
#include "mpi/protocol/worker.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::cluster {

struct ClusterOptions {
  /// Seconds after which a silent rank counts as lost.
  double patience = 60;
  /// Once true, the ranks finish what they have begun and leave the rest.
  const std::atomic<bool>* stop = nullptr;
  /// Called with one line naming rank and host when a rank or MPI is lost or a rank is of another version, on a thread
  /// of the cluster; after that the processes of all ranks end at once with the code of ErrorKind::runtime or mismatch.
  std::function<void(const std::string&)> on_lost;
  MpiUse use = MpiUse::alone;
};

/// One in a process. All ranks of the launcher's job construct and destroy it. Rank 0 manages and works too. Each rank
/// has a thread for control messages (the Worker Communication Controller of the source), so that asking for tiles
/// overlaps with work on others.
///
/// In this order: rank 0 calls manage() and the others work(); the run; then rank 0 finish() and the others bye(). In
/// place of any of these, fail(). Members are for one thread. Source: hybrid-pipelines-2012 section III.
class Cluster : private TileSource {
 public:
  explicit Cluster(ClusterOptions options);
  /// Waits for all ranks.
  ~Cluster() override;
  Cluster(const Cluster&) = delete;
  Cluster& operator=(const Cluster&) = delete;

  int rank() const { return network_.rank(); }
  int size() const { return network_.size(); }
  CoreShare core_share() const { return network_.core_share(); }
  /// "rank 3 on node7".
  std::string name_of(int rank) const;

  /// Rank 0: tiles to be handed out. `takers`: how many of the ranks ask for some; 0 for all.
  TileSource& manage(const Agreement& agreement, std::vector<std::int64_t> tiles, int takers = 0);
  /// Other ranks: waits until the manager takes this rank in. Throws Error{mismatch} when it does not.
  TileSource& work(const Agreement& agreement);

  /// What a message of another rank's tell() is handed to, on a thread of the cluster.
  using OnPeer = std::function<void(int from, const StreamMessage& message)>;
  /// Within the run, for ranks that exchange buffers: introduces this rank to all, and waits until every rank has done
  /// so. Returns how they introduced themselves, by rank; nullopt when the job is to stop before.
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

  struct RankResult {
    std::int64_t tiles;  // it reported
    std::string books;   // as given to bye(); empty for rank 0
  };
  /// Rank 0: what came of each rank. Throws an Error naming rank and host, of the kind that a rank failed with.
  std::vector<RankResult> finish();

 private:
  // What the run does, on its thread.
  void start(TileSink& sink) override;
  void request(std::size_t tiles) override;
  void finished(const TileDone& tile) override;
  void drained(std::size_t dropped) override;
  void leave() override;

  using Command = std::function<void()>;
  void post(Command command);
  void wait_for(Command command);

  // What the thread does; it alone touches what is below it.
  void work_loop();
  [[noreturn]] void end_job(ErrorKind kind, const std::string& what);
  bool run_commands();
  bool receive();
  void look_after_ranks();
  void on_message(const Network::Message& message);
  void on_peer_message(int from, const StreamMessage& message);
  void to_manager(int from, const ToManager& message);
  void to_manager(const ToManager& message);  // from this rank
  void send(const Manager::Sends& sends);
  void from_manager(const ToWorker& message);
  void create_manager(const Agreement& agreement, std::vector<std::int64_t> tiles, int takers);
  void check_over();
  void tell_sink(std::function<void(TileSink&)> tell);

  ClusterOptions options_;
  Network network_;

  std::mutex sink_mutex_;
  TileSink* sink_ = nullptr;
  std::vector<std::function<void(TileSink&)>> untold_;  // until there is a sink

  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Command> commands_;

  Worker worker_;
  std::optional<Manager> manager_;
  std::vector<std::pair<int, ToManager>> early_;  // messages to a manager that is not there yet
  bool told_stop_ = false, told_over_ = false, said_farewell_ = false, refused_ = false, ending_ = false;
  Pulse pulse_;
  OnPeer on_peer_;
  std::vector<std::pair<int, StreamMessage>> early_peers_;  // until there is on_peer_
  std::promise<std::optional<std::string>> admitted_;       // why not, if not
  bool admission_told_ = false;
  std::promise<std::optional<std::vector<std::string>>> begun_;  // nullopt: never
  std::promise<void> over_;

  std::thread thread_;  // last
};

}  // namespace starpath::cluster
