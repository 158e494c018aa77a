#include "mpi/job/command_queue.hpp"

#include <future>
#include <memory>
#include <utility>

namespace starpath::mpi {

void CommandQueue::post(Command command) {
  {
    const std::lock_guard lock(mutex_);
    commands_.push_back(std::move(command));
  }
  changed_.notify_one();
}

void CommandQueue::call(Command command) {
  const auto done = std::make_shared<std::promise<void>>();  // set_value() may still run when wait() has returned
  post([done, command = std::move(command)] {
    command();
    done->set_value();
  });
  done->get_future().wait();
}

bool CommandQueue::run() {
  std::deque<Command> commands;
  {
    const std::lock_guard lock(mutex_);
    commands.swap(commands_);
  }
  for (const Command& command : commands) command();
  return !commands.empty();
}

void CommandQueue::wait(std::chrono::nanoseconds longest) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, longest, [&] { return !commands_.empty(); });
}

}  // namespace starpath::mpi
