// The manager of a job, on rank 0.
#pragma once
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/job/death_watch.hpp"
#include "mpi/job/run_link.hpp"
#include "mpi/network/network.hpp"
#include "mpi/protocol/manager.hpp"
#include "mpi/protocol/roll_call.hpp"

namespace starpath::mpi {

/// The outcome of a rank.
struct RankResult {
  std::int64_t tiles;  // it reported
  std::string books;   // as given to Job::bye(); empty for rank 0
};

/// Connects Manager to the network and to the run on rank 0. Members are for the thread of the network, except those
/// that wait.
class ManagerSide {
 public:
  /// Sends a message to a rank, rank 0 included.
  using SendToWorker = std::function<void(int rank, const ToWorker& message)>;

  ManagerSide(const Network& network, RunLink& run, DeathWatch& deaths, SendToWorker send);

  /// Before open(): asks whether every other rank is ready to work.
  void call_roll(const Agreement& agreement);
  /// The tiles are known: earlier messages of ranks are answered. `takers` and `workflow` as for Manager.
  void open(const Agreement& agreement, const std::vector<std::int64_t>& tiles, int takers,
            const workflow::AbstractWorkflow& workflow);
  bool is_open() const { return manager_.has_value(); }
  void receive(int from, const ToManager& message);
  /// Rank 0 gives up. Without tiles this opens the manager too, so that the other ranks hear of it.
  void fail(int kind, const std::string& reason);

  /// The results of all ranks, of an open manager.
  std::vector<RankResult> results() const;
  const std::optional<RankFailure>& failure() const { return manager_->failure(); }

  /// Any other thread: until no rank has anything more to say.
  void wait_until_over() { over_.get_future().wait(); }
  /// The answer to call_roll(): which rank never will be ready, if there is one. Once only.
  std::optional<RankFailure> wait_for_roll() { return called_.get_future().get(); }

 private:
  enum class Phase { running, over };

  void send(const Manager::Sends& sends);
  void tell_run_of(const Finished& tile, int from);
  void check_over();
  void check_roll();

  const Network& network_;
  RunLink& run_;
  DeathWatch& deaths_;
  const SendToWorker send_;
  std::optional<RollCall> roll_;  // until it is over
  std::promise<std::optional<RankFailure>> called_;
  std::optional<Manager> manager_;                // once the tiles are known
  std::vector<std::pair<int, ToManager>> early_;  // messages that came before open()
  Phase phase_ = Phase::running;
  std::promise<void> over_;
};

}  // namespace starpath::mpi
