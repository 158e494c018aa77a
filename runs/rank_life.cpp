// From the launcher to the last word.
#include "runs/rank_life.hpp"

#include <sched.h>

#include <algorithm>
#include <cstdlib>
#include <vector>

#include "base/allowed_cores.hpp"
#include "base/error.hpp"
#include "base/path_error.hpp"
#include "base/stop_signals.hpp"
#include "pipelines/run/memory_need.hpp"
#include "sched_policies/topology/machine_layout.hpp"

namespace starpath {

namespace {

/// Binds the calling thread to this rank's part of the cores that it shares with other ranks, and to no more than its
/// part of a quota on processor time. The threads that StarPU starts later inherit it; without it, StarPU would bind
/// the workers of each rank to the same cores. Changes nothing when nothing is shared, or when a variable of StarPU's
/// already says where workers go.
void take_core_share(const mpi::CoreShare& share) {
  if (share.on_machine < 2) return;
  for (const char* name : {"STARPU_WORKERS_CPUID", "STARPU_WORKERS_COREID", "STARPU_WORKERS_GETBIND"})
    if (std::getenv(name) != nullptr) return;
  const std::vector<CoreInfo> cores = read_machine_layout("").cores;
  const auto number = static_cast<std::size_t>(share.number), of = static_cast<std::size_t>(share.of);
  std::size_t begin = number * cores.size() / of, end = (number + 1) * cores.size() / of;
  if (begin == end) begin = number % cores.size(), end = begin + 1;  // more ranks than cores
  const auto quota = static_cast<std::size_t>(quota_cores(share.on_machine));
  if (share.of < 2 && quota >= end - begin) return;
  end = std::min(end, begin + quota);
  cpu_set_t set;
  CPU_ZERO(&set);
  for (std::size_t core = begin; core < end; ++core) CPU_SET(cores[core].os_cpu, &set);
  sched_setaffinity(0, sizeof set, &set);
}

}  // namespace

using mpi::Job;

std::unique_ptr<Job> join_job(const RunRequest& request, mpi::MpiUse use, RunListener& listener) {
  if (!request.record.empty())
    throw Error(ErrorKind::usage, "--record and compare are for one process: start without mpirun and --streams");
  mpi::JobOptions options;
  options.use = use;
  options.patience = request.patience;
  options.stop = &catch_stop_signals();
  options.on_lost = [&listener](const std::string& what) { listener.note(what); };
  auto joined = std::make_unique<Job>(options);
  end_runs_without_memory_by([job = joined.get()](const std::string& why) { job->abort(why); });
  take_core_share(joined->core_share());
  return joined;
}

void with_failures_told(Job& job, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    job.fail(error.kind(), error.what());
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    const Error told = path_error(error);
    job.fail(told.kind(), told.what());
    throw told;
  } catch (const std::exception& error) {
    job.fail(ErrorKind::internal, error.what());
    throw;
  }
}

void run_as_worker_rank(Job& job, const std::function<void()>& work) {
  try {
    with_failures_told(job, work);
  } catch (const std::exception&) {
    // Rank 0 tells what went wrong here, and its exit code is that of the job. A launcher kills all ranks at once when
    // one of them ends with another than 0.
  }
}

}  // namespace starpath
