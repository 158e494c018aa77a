// A worker's side of Manager-Worker: the instances that it was given, and when nothing more can come. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "mpi/protocol/messages.hpp"

namespace starpath::mpi {

/// The meaning of a message from the manager for the pipeline of a rank.
struct WorkerStep {
  std::vector<Handout> instances;                         // new ones
  std::vector<std::int64_t> forget;                       // tiles: nobody needs the data that this rank keeps of them
  std::optional<int> lost;                                // a rank, with the data that it kept
  bool no_more = false;                                   // the last have come; told once
  bool drop = false;                                      // begin no tile; told once
  bool welcome = false;                                   // told once
  std::optional<std::string> refused;                     // leave
  std::optional<std::vector<std::string>> introductions;  // the ranks begin; told once
  bool cancelled = false;                                 // they never will; told once
};

/// A state machine without MPI, threads or clock. Messages of the manager may come in any order. Not thread-safe.
class Worker {
 public:
  WorkerStep receive(const ToWorker& message);

  /// The messages to send when …
  /// … there is room for more; the first one says which stages this rank cannot run
  static Request request(std::int64_t instances, std::vector<int> cannot = {}) {
    return {instances, std::move(cannot)};
  }
  Finished finished(Finished instance);                                // … an instance is done
  Returned returned(const StageInstance&, std::vector<int> vanished);  // … one will not be done here
  Bye bye(std::string books) const { return {answered_, std::move(books)}; }
  Failed failed(int kind, std::string reason) const { return {kind, std::move(reason), answered_}; }

 private:
  std::int64_t received_ = 0, answered_ = 0;
  std::optional<std::int64_t> assigned_;  // how many come in all, once known
  bool told_no_more_ = false, told_drop_ = false, told_cancelled_ = false;
};

}  // namespace starpath::mpi
