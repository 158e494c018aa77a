// Data of stage instances between ranks.
#pragma once
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "mpi/job/run_link.hpp"
#include "mpi/protocol/data_messages.hpp"
#include "pipelines/run/tile_source.hpp"

namespace starpath::mpi {

/// Fetches the data that an assigned instance needs and this rank does not keep. Has the run answer other ranks that
/// need data which this rank keeps. For the thread of the network.
class DataExchange {
 public:
  using Send = std::function<void(int to, const DataMessage& message)>;
  /// An instance has all that it needs.
  using OnComplete = std::function<void(GivenInstance instance)>;
  /// The data that these stages wrote for the instance are gone.
  using OnVanished = std::function<void(const StageInstance& instance, std::vector<int> stages)>;

  DataExchange(RunLink& run, Send send, OnComplete on_complete, OnVanished on_vanished)
      : run_(run), send_(std::move(send)), on_complete_(std::move(on_complete)), on_vanished_(std::move(on_vanished)) {}

  void fetch(const workflow::Handout& handout);
  void receive(int from, const DataMessage& message);
  /// The run's answer to TileSink::hand_over().
  void answer(const StageInstance& instance, int to, std::optional<std::string> data);
  /// The rank answers no more: data that are fetched from it are gone.
  void lost(int rank);
  /// The run has ended, and answers no more.
  void run_left();

 private:
  struct Fetch {
    GivenInstance instance;
    std::map<int, int> missing;  // stage, and the rank that keeps its data
    std::vector<int> vanished;   // stages
  };
  using Fetches = std::map<StageInstance, Fetch>;  // by the instance that needs the data
  void arrived(int from, const DataMessage& message);
  /// Tells the outcome, if it is known.
  void conclude(Fetches::iterator fetch);

  RunLink& run_;
  const Send send_;
  const OnComplete on_complete_;
  const OnVanished on_vanished_;
  Fetches fetches_;
  std::set<int> lost_;  // ranks
  std::multiset<std::pair<StageInstance, int>>
      wanted_;  // for each answer that the run owes, the rank that waits for it
  bool run_left_ = false;
};

}  // namespace starpath::mpi
