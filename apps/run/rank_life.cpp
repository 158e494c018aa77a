// From the launcher to the last word.
#include "apps/run/rank_life.hpp"

#include "apps/run/core_share.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/terminal.hpp"
#include "base/error.hpp"
#include "base/path_error.hpp"
#include "pipelines/run/memory_need.hpp"

namespace starpath::apps {

using cluster::Cluster;

std::unique_ptr<Cluster> join_cluster(const RunArguments& arguments, cluster::MpiUse use) {
  if (!arguments.record.empty())
    throw Error(ErrorKind::usage, "--record and compare are for one process: start without mpirun and --streams");
  cluster::ClusterOptions options;
  options.use = use;
  options.patience = arguments.patience;
  options.stop = &catch_stop_signals();
  options.on_lost = [](const std::string& what) { print_error("starpath: {}\n", what); };
  auto joined = std::make_unique<Cluster>(options);
  end_runs_without_memory_by([cluster = joined.get()](const std::string& why) { cluster->abort(why); });
  take_core_share(joined->core_share());
  return joined;
}

void with_failures_told(Cluster& cluster, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    cluster.fail(error.kind(), error.what());
    throw;
  } catch (const std::filesystem::filesystem_error& error) {
    const Error told = path_error(error);
    cluster.fail(told.kind(), told.what());
    throw told;
  } catch (const std::exception& error) {
    cluster.fail(ErrorKind::internal, error.what());
    throw;
  }
}

int run_as_worker_rank(Cluster& cluster, const std::function<void()>& work) {
  try {
    with_failures_told(cluster, work);
  } catch (const std::exception&) {
    // Rank 0 tells what went wrong here, and its exit code is that of the job. A launcher kills all ranks at once when
    // one of them ends with another than 0.
  }
  return 0;
}

}  // namespace starpath::apps
