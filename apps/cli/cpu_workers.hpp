// How many CPU workers can be asked for.
#pragma once
#include <starpu.h>

#include <CLI/CLI.hpp>

#include "apps/cli/number_range.hpp"

namespace starpath::apps {

/// What --cpus takes. StarPU would start its most where more are asked for, and not say it.
inline CLI::Validator cpu_workers() { return number_between(0, STARPU_MAXCPUS); }

}  // namespace starpath::apps
