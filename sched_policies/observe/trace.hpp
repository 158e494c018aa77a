// STARPATH_TRACE: every task on a time line, in the format that Perfetto and Chrome open.
#pragma once
#include <cstdio>
#include <nlohmann/json_fwd.hpp>
#include <string>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/observe/execution.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// Writes each task as it finishes, so a run that is killed leaves a trace that still opens (the format allows a
/// missing end). Thread-safe. File format: docs/policies.md.
class Trace {
 public:
  /// Opens `file`; `error()` says whether that worked.
  Trace(const std::string& file, const Machine& machine);
  ~Trace();
  Trace(const Trace&) = delete;
  Trace& operator=(const Trace&) = delete;

  void add(const Execution& execution);

  /// "" or what went wrong, first opening then writing.
  const std::string& error() const { return error_; }

  /// Ends the file; writing errors show in `error()` afterwards.
  void close();

 private:
  void put(const nlohmann::ordered_json& event) STARPATH_REQUIRES(mutex_);

  StarpuMutex mutex_;
  std::FILE* file_ STARPATH_GUARDED_BY(mutex_) = nullptr;
  bool first_ STARPATH_GUARDED_BY(mutex_) = true;
  std::string error_;
};

}  // namespace starpath
