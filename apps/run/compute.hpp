// The part of a run that needs StarPU.
#pragma once
#include <functional>
#include <string>

#include "apps/run/run_request.hpp"

namespace starpath::apps {

/// What StarPU worked with.
struct SessionUsed {
  std::string policy;
  int cpu_workers = 0, gpu_workers = 0;
};

/// Starts StarPU as the request says, runs `work` in it, and stops it. Throws what either throws.
SessionUsed compute(const RunRequest& request, const std::function<void()>& work);

}  // namespace starpath::apps
