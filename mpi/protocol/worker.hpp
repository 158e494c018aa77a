// A worker's side of Manager-Worker: what it has been given and when nothing more can come. Pure.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "mpi/protocol/messages.hpp"

namespace starpath::cluster {

/// What a message from the manager means for the pipeline of a rank.
struct WorkerStep {
  std::vector<std::int64_t> tiles;                        // new ones
  bool no_more = false;                                   // the last have come; told once
  bool drop = false;                                      // leave those not begun; told once
  bool welcome = false;                                   // told once
  std::optional<std::string> refused;                     // leave
  std::optional<std::vector<std::string>> introductions;  // the ranks begin; told once
  bool cancelled = false;                                 // they never will; told once
};

/// A state machine without MPI, threads or clock. Messages of the manager may come in any order. Not thread-safe.
class Worker {
 public:
  WorkerStep receive(const ToWorker& message);

  /// What to send when …
  static Request request(std::int64_t tiles) { return {tiles}; }  // … there is room for more
  Finished finished(Finished tile);                               // … a tile is on the disk or given up
  Bye bye(std::string books) const { return {finished_, std::move(books)}; }
  Failed failed(int kind, std::string reason) const { return {kind, std::move(reason), finished_}; }

 private:
  std::int64_t received_ = 0, finished_ = 0;
  std::optional<std::int64_t> assigned_;  // how many come in all, once known
  bool told_no_more_ = false, told_drop_ = false, told_cancelled_ = false;
};

}  // namespace starpath::cluster
