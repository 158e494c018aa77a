// SIGINT and SIGTERM.
#include "apps/run/stop_signals.hpp"

#include <csignal>
#include <cstdlib>
#include <ctime>

namespace starpath::apps {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<std::time_t> first_request{0};

// A shell or `timeout` may deliver one request twice.
void on_signal(int) {
  const std::time_t now = std::time(nullptr);
  if (!stop_requested.exchange(true)) first_request = now;
  if (now - first_request > 1) std::_Exit(130);
}

}  // namespace

const std::atomic<bool>& catch_stop_signals() {
  std::signal(SIGINT, on_signal);
  std::signal(SIGTERM, on_signal);
  return stop_requested;
}

}  // namespace starpath::apps
