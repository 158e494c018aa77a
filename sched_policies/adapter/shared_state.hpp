// What all contexts of a run share: options, machine, estimates, statistics and trace.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "sched_policies/estimates/estimates.hpp"
#include "sched_policies/observe/execution.hpp"
#include "sched_policies/observe/statistics.hpp"
#include "sched_policies/observe/trace.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// Lives from the first context's initialisation to the last one's end, which writes the statistics and ends the
/// trace. The next starpu_init in the same process starts afresh.
class SharedState {
 public:
  /// The one of this run, made from the environment by the first caller. Bad options are reported on stderr then.
  static std::shared_ptr<SharedState> acquire(std::string_view policy);

  SharedState();
  ~SharedState();
  SharedState(const SharedState&) = delete;
  SharedState& operator=(const SharedState&) = delete;

  /// The parts that need workers that have started. First use builds them; call from a push or later. Thread-safe.
  struct Ready {
    Machine machine;
    EstimateSources sources;
    std::optional<Statistics> statistics;
    std::unique_ptr<Trace> trace;

    explicit Ready(const Options& options);
    void finished(const Execution& execution);
  };
  Ready& ready();

  const Options& options() const { return options_; }

 private:
  static ProcessMutex current_mutex;
  static std::weak_ptr<SharedState> current STARPATH_GUARDED_BY(current_mutex);

  Options options_;
  StarpuMutex mutex_;
  std::optional<Ready> ready_ STARPATH_GUARDED_BY(mutex_);
  std::vector<std::string> policies_ STARPATH_GUARDED_BY(current_mutex);  // that ran, each once
};

/// One line on stderr, marked as ours: a plug-in has no other way to reach its user.
void report(const std::string& line);

}  // namespace starpath
