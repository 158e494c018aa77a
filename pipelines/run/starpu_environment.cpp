// StarPU's environment variables that would end the process.
#include "pipelines/run/starpu_environment.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/error.hpp"
#include "base/pure/ascii.hpp"
#include "pipelines/run/hwloc_environment.hpp"
#include "pipelines/run/starpu_home.hpp"

namespace starpath {
namespace {

constexpr const char* kCounts[] = {"STARPU_NCPU",           "STARPU_NCPUS",
                                   "STARPU_RESERVE_NCPU",   "STARPU_NTHREADS_PER_CORE",
                                   "STARPU_NCUDA",          "STARPU_NWORKER_PER_CUDA",
                                   "STARPU_CUDA_PIPELINE",  "STARPU_NOPENCL",
                                   "STARPU_NHIP",           "STARPU_LIMIT_CPU_MEM",
                                   "STARPU_LIMIT_CUDA_MEM", "STARPU_LIMIT_MAX_SUBMITTED_TASKS",
                                   "STARPU_USE_NUMA",       "STARPU_LIMIT_MIN_SUBMITTED_TASKS",
                                   "STARPU_CALIBRATE",      "STARPU_CALIBRATE_MINIMUM",
                                   "STARPU_BUS_CALIBRATE",  "STARPU_HISTORY_MAX_ERROR",
                                   "STARPU_SILENT",         "STARPU_STATS",
                                   "STARPU_FXT_TRACE",      "STARPU_WORKERS_NOBIND",
                                   "STARPU_PREFETCH",       "STARPU_MAIN_THREAD_BIND",
                                   "STARPU_WATCHDOG_CRASH", "STARPU_MAIN_THREAD_CPUID",
                                   "STARPU_PROFILING",      "STARPU_MAIN_THREAD_COREID",
                                   "STARPU_MEMORY_STATS",   "STARPU_BUS_STATS"};  // read when the work is done

constexpr const char* kLists[] = {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_CUDAID"};

std::string_view without_spaces_before(std::string_view text) {
  return text.substr(std::min(text.find_first_not_of(" \t"), text.size()));
}

bool is_count(std::string_view text) {
  text = without_spaces_before(text);
  return !text.empty() && text.size() <= 9 && std::ranges::all_of(text, is_digit);
}

bool is_list(std::string_view text) {
  text = without_spaces_before(text);
  return !text.empty() && is_digit(text.front());
}

void check_variables() {
  for (const char* name : kCounts)
    if (const char* value = std::getenv(name); value != nullptr && !is_count(value))
      throw Error(ErrorKind::runtime, fmt::format("{}={}: StarPU takes a whole number of 0 or more", name, value));
  for (const char* name : kLists)
    if (const char* value = std::getenv(name); value != nullptr && !is_list(value))
      throw Error(ErrorKind::runtime, fmt::format("{}={}: StarPU takes numbers, as in \"0 1 4-7\"", name, value));
}

/// StarPU takes a text that is no number for 0 here, and then warns without a pause.
void check_watchdog() {
  constexpr const char* name = "STARPU_WATCHDOG_TIMEOUT";
  const char* value = std::getenv(name);
  if (value == nullptr) return;
  const std::string_view text = without_spaces_before(value);
  if (text.size() > 18 || !std::ranges::all_of(text, is_digit) || text.find_first_not_of('0') == text.npos)
    throw Error(ErrorKind::runtime,
                fmt::format("{}={}: StarPU takes a whole number of microseconds above 0", name, value));
}

}  // namespace

void check_starpu_environment() {
  check_variables();
  check_watchdog();
  check_starpu_home();
  check_hwloc_environment();
}

}  // namespace starpath
