// Commands of other threads for the thread of the network.
#pragma once
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>

namespace starpath::mpi {

/// Commands run one after another, in the order in which they were posted.
class CommandQueue {
 public:
  using Command = std::function<void()>;

  /// Any thread. Returns at once.
  void post(Command command);
  /// For any thread except that of the network. Returns once the command has run.
  void call(Command command);

  /// The thread of the network. Runs the posted commands; false when there were none.
  bool run();
  /// The thread of the network. Returns when a command is here, or after `longest`.
  void wait(std::chrono::nanoseconds longest);

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  std::deque<Command> commands_;
};

}  // namespace starpath::mpi
