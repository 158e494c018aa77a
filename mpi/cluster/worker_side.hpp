// The worker that every rank is, rank 0 included.
#pragma once
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "mpi/cluster/command_queue.hpp"
#include "mpi/cluster/death_watch.hpp"
#include "mpi/cluster/run_link.hpp"
#include "mpi/protocol/worker.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::cluster {

/// Connects Worker to the manager and to the run on this rank, whose source of tiles it is. TileSource's members are
/// for the thread of the run, those that wait for any thread but that of the network, the others for the latter.
class WorkerSide final : public TileSource {
 public:
  using SendToManager = std::function<void(const ToManager& message)>;

  WorkerSide(int rank, CommandQueue& commands, RunLink& run, DeathWatch& deaths, SendToManager send);

  void receive(const ToWorker& message);
  /// Asks to be taken in.
  void apply(const Agreement& agreement) { send_(Hello{agreement}); }
  /// This rank can exchange buffers.
  void introduce(const std::string& introduction) { send_(Ready{introduction}); }
  /// The job is to stop.
  void interrupt() { send_(Interrupted{}); }
  /// The last words of a rank that has done its part, and of one that gives up.
  void bye(const std::string& books);
  void fail(int kind, const std::string& reason);

  bool refused() const { return standing_ == Standing::refused; }
  bool departed() const { return standing_ == Standing::departed; }

  /// Waits for the answer to apply(): why the manager refuses this rank, if it does. Once only.
  std::optional<std::string> wait_for_refusal() { return admission_.get_future().get(); }
  /// Waits until all ranks have introduced themselves. Nullopt when they never will. Once only.
  std::optional<std::vector<std::string>> wait_for_introductions() { return introductions_.get_future().get(); }

  // What the run does.
  void start(TileSink& sink) override { run_.connect(sink); }
  void request(std::size_t tiles) override;
  void finished(const TileDone& tile) override;
  void drained(std::size_t dropped) override;
  void leave() override { run_.disconnect(); }

 private:
  enum class Standing { applying, admitted, refused, departed };

  void take_in(const WorkerStep& step);
  void depart();

  const int rank_;
  CommandQueue& commands_;
  RunLink& run_;
  DeathWatch& deaths_;
  const SendToManager send_;
  Worker worker_;
  Standing standing_ = Standing::applying;
  std::promise<std::optional<std::string>> admission_;                   // why not, if not
  std::promise<std::optional<std::vector<std::string>>> introductions_;  // nullopt: never
};

}  // namespace starpath::cluster
