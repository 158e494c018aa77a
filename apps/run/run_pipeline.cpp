// A run with one process.
#include "apps/run/run_pipeline.hpp"

#include <optional>

#include "apps/run/compute.hpp"
#include "apps/run/input_state.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/rank_run.hpp"
#include "apps/run/record_file.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/run/write_exports.hpp"
#include "base/atomic_file.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/run/tile_list.hpp"

namespace starpath::apps {
namespace {

int run_alone(const RunArguments& arguments, SlidePipeline& pipeline) {
  const InputState input(arguments.input);
  pipeline.open();
  choose_policy(arguments.session);  // both before anything is written
  check_starpu_environment();
  const auto lock = lock_output(arguments);
  std::optional<AtomicFile> record;
  open_record(arguments, record);
  pipeline.warn();
  std::optional<TileList> tiles;
  const auto open_results = [&] { tiles.emplace(pipeline.open_results(), pipeline.workflow()); };
  if (!arguments.overwrite) open_results();
  const std::atomic<bool>& stop = catch_stop_signals();
  ProgressReport report(choose_style(arguments.json, arguments.quiet), pipeline.found(), pipeline.unit());
  Outcome outcome;
  with_resume_hint(report, [&] {
    const auto on_progress = [&](const Progress& progress, const std::string& failure) {
      report.update(progress, failure);
    };
    compute(arguments, outcome, [&] {
      if (!tiles) {  // a failed start of StarPU, or a lack of memory, replaces nothing
        check_memory(pipeline.memory_need());
        open_results();
      }
      outcome.progress = pipeline.compute(*tiles, on_progress, stop, nullptr).progress;
    });
    input.check_unchanged();
    pipeline.conclude(report, stop, outcome);
  });
  return tell(arguments, outcome, record ? &*record : nullptr);
}

}  // namespace

int run_pipeline(RunArguments& arguments, SlidePipeline& pipeline) {
  // Exports are written when all workers have ended. (Those of a study are tasks beside others.)
  arguments.export_threads = threads_after(arguments.session);
  const bool is_rank = mpi::launched_ranks() > 1 || pipeline.plan().use == mpi::MpiUse::shared;
  return is_rank ? run_as_rank(arguments, pipeline) : run_alone(arguments, pipeline);
}

}  // namespace starpath::apps
