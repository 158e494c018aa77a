// From the launcher to the last word.
#include "runs/rank_life.hpp"

#include "base/error.hpp"
#include "base/path_error.hpp"
#include "base/stop_signals.hpp"
#include "pipelines/run/memory_need.hpp"
#include "runs/core_share.hpp"

namespace starpath {

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
