// STARPATH_STATS: who ran what, per codelet and device class.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/observe/execution.hpp"

namespace starpath {

/// Counts and seconds of finished tasks. `add` may run for different workers at once, never twice for one worker;
/// `write` runs after all of them. File format: docs/policies.md.
class Statistics {
 public:
  explicit Statistics(const Machine& machine) : machine_(machine), workers_(machine.workers()) {}

  void add(const Execution& execution);

  /// Writes `file` whole or not at all; returns "" or what went wrong.
  std::string write(const std::string& file, const std::vector<std::string>& policies) const;

 private:
  struct Share {
    std::uint64_t tasks = 0;
    double seconds = 0;
  };

  const Machine& machine_;
  std::vector<std::map<std::string, Share, std::less<>>> workers_;  // per worker, by codelet
};

}  // namespace starpath
