// The worker that every rank is, rank 0 included.
#pragma once
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "mpi/job/command_queue.hpp"
#include "mpi/job/data_exchange.hpp"
#include "mpi/job/run_link.hpp"
#include "mpi/protocol/worker.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::mpi {

/// Connects Worker to the manager and to the run on this rank, as the run's source of tiles. TileSource's members are
/// for the thread of the run. Members that wait are for any thread except that of the network. All other members are
/// for the thread of the network.
class WorkerSide final : public TileSource {
 public:
  using SendToManager = std::function<void(const ToManager& message)>;

  WorkerSide(int rank, CommandQueue& commands, RunLink& run, SendToManager send, DataExchange::Send send_data);

  void receive(const ToWorker& message);
  void receive(int from, const DataMessage& message) { data_.receive(from, message); }
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

  // TileSource, for the run.
  void start(TileSink& sink) override { run_.connect(sink); }
  void cannot_run(const std::vector<int>& stages) override;
  void request(std::size_t instances) override;
  void finished(const TileDone& done) override;
  void returned(const StageInstance& instance) override;
  void send(const StageInstance& instance, int to, std::optional<std::string> data) override;
  void stop() override {}  // the job hears of it by itself, and tells every rank
  void drained() override;
  void leave() override;

 private:
  enum class Standing { applying, admitted, refused, departed };

  void take_in(const WorkerStep& step);
  void give(const std::vector<Handout>& handouts);
  void vanished(const StageInstance& instance, std::vector<int> stages);

  const int rank_;
  CommandQueue& commands_;
  RunLink& run_;
  const SendToManager send_;
  Worker worker_;
  std::vector<int> cannot_run_;  // stages, until the first request has said so
  DataExchange data_;
  Standing standing_ = Standing::applying;
  std::promise<std::optional<std::string>> admission_;                   // why not, if not
  std::promise<std::optional<std::vector<std::string>>> introductions_;  // nullopt: never
};

}  // namespace starpath::mpi
