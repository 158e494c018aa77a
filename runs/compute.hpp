// The part of a run that needs StarPU.
#pragma once
#include <functional>
#include <string>

#include "runs/run_listener.hpp"
#include "runs/run_request.hpp"

namespace starpath {

/// What StarPU worked with.
struct SessionUsed {
  std::string policy;
  int cpu_workers = 0, gpu_workers = 0;
};

/// Starts StarPU as the request says, runs `work` in it, and stops it. The listener hears where GPUs
/// cannot be placed as asked. Throws what either throws.
SessionUsed compute(const RunRequest& request, RunListener& listener, const std::function<void()>& work);

}  // namespace starpath
