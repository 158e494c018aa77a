// What all contexts of a run share.
#include "sched_policies/adapter/shared_state.hpp"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/one_line.hpp"
#include "estimator/store/profile_error.hpp"
#include "sched_policies/observe/own_observations.hpp"
#include "sched_policies/starpu/device_classes.hpp"
#include "sched_policies/starpu/profile_in_use.hpp"

namespace starpath {
namespace {

/// The reason why `file` must not be replaced, or "" if it may be. Profiles and files that the plug-in did not write
/// must not.
std::string in_the_way(const std::string& file, const OutputKind& kind) {
  std::error_code none;
  if (std::filesystem::is_regular_file(file, none) && has_marks_of_profile(file))
    return "is a profile; name another file";
  const std::string obstacle = obstacle_to_replacing(file, kind);
  return obstacle.empty() ? "" : obstacle + "; name another file";
}

}  // namespace

ProcessMutex SharedState::current_mutex;
std::weak_ptr<SharedState> SharedState::current;

void report(const std::string& line) { std::fprintf(stderr, "starpath: %s\n", one_line(line).c_str()); }

std::shared_ptr<SharedState> SharedState::acquire(std::string_view policy) {
  const RelaxedLock lock(current_mutex);
  auto state = current.lock();
  if (state == nullptr) {
    state = std::make_shared<SharedState>();
    current = state;
  }
  if (std::ranges::find(state->policies_, policy) == state->policies_.end()) state->policies_.emplace_back(policy);
  return state;
}

SharedState::SharedState()
    : options_(read_options([](const char* name) -> const char* { return std::getenv(name); }, report)) {
  options_.profile_file = profile_in_use(options_);
}

SharedState::~SharedState() {
  Ready& parts = ready();
  parts.sources.samples.save();
  if (parts.statistics) {
    std::string error = in_the_way(options_.stats_file, kStatisticsFile);
    if (error.empty()) error = parts.statistics->write(options_.stats_file, policies_);
    if (!error.empty()) report("cannot write STARPATH_STATS='" + options_.stats_file + "': " + error);
  }
  if (parts.trace != nullptr) {
    parts.trace->close();
    if (!parts.trace->error().empty()) {
      report("cannot write STARPATH_TRACE='" + options_.trace_file + "': " + parts.trace->error());
    }
  }
}

SharedState::Ready& SharedState::ready() {
  const RelaxedLock lock(mutex_);
  if (!ready_) ready_.emplace(options_);
  return *ready_;
}

SharedState::Ready::Ready(const Options& options)
    : machine(read_machine(options.classes, report)), sources(options, machine, report) {
  if (!options.stats_file.empty()) statistics.emplace(machine);
  if (options.trace_file.empty()) return;
  std::string error = in_the_way(options.trace_file, kTraceFile);
  if (error.empty()) {
    trace = std::make_unique<Trace>(options.trace_file, machine);
    error = trace->error();
  }
  if (error.empty()) return;
  report("cannot write STARPATH_TRACE='" + options.trace_file + "': " + error);
  trace.reset();
}

void SharedState::Ready::finished(const Execution& execution) {
  if (statistics) statistics->add(execution);
  if (trace != nullptr) trace->add(execution);
}

}  // namespace starpath
