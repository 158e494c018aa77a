// The life of a rank.
#include "apps/run/rank_run.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/run/compute.hpp"
#include "apps/run/input_state.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/rank_books.hpp"
#include "apps/run/rank_life.hpp"
#include "apps/run/stop_signals.hpp"
#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "pipelines/run/starpu_environment.hpp"

namespace starpath::apps {
namespace {

namespace fs = std::filesystem;
using mpi::Agreement;
using mpi::Job;

Agreement agreement_of(const io::RunKey& key, const RankPlan& plan) {
  nlohmann::json parameters = nlohmann::json::parse(key.parameters);
  if (!plan.agreement.empty()) parameters["plan"] = plan.agreement;
  return {key.starpath_version, key.slide_fingerprint, parameters.dump()};
}

fs::path part_of(const RunArguments& arguments, int rank) { return io::part_file(results_file(arguments), rank); }

/// `tiles` is called when StarPU runs.
void compute_here(const RunArguments& arguments, SlidePipeline& pipeline, Job& job,
                  const std::function<TileSource&()>& tiles, const ProgressCallback& on_progress, Outcome& outcome) {
  static const std::atomic<bool> never{false};  // the job hears of signals, and tells every rank
  compute(arguments, outcome, [&] {
    Computed computed = pipeline.compute(tiles(), on_progress, never, &job);
    outcome.progress = std::move(computed.progress);
    outcome.stored = computed.stored;
    outcome.traffic = {job.sent(), computed.buffers};
  });
  pipeline.close();
}

/// Ranks other than 0: their results go into a file of their own.
void work_for_manager(const RunArguments& arguments, SlidePipeline& pipeline, Job& job) {
  const io::RunKey& key = pipeline.open();
  choose_policy(arguments.session);
  check_starpu_environment();
  std::optional<io::OutputLock> lock;
  const auto admitted = [&]() -> TileSource& {
    if (arguments.overwrite) check_memory(pipeline.memory_need());  // before rank 0 replaces anything
    TileSource& tiles = job.work(agreement_of(key, pipeline.plan()));
    lock.emplace(arguments.out, job.rank());
    pipeline.open_part(part_of(arguments, job.rank()));
    return tiles;
  };
  Outcome outcome;
  compute_here(arguments, pipeline, job, admitted, {}, outcome);
  job.bye(books_of(outcome));
}

/// What rank 0 has after the ranks are gone.
struct Collected {
  std::vector<mpi::RankResult> ranks;
  std::vector<std::string> names;
};

Collected manage(const RunArguments& arguments, SlidePipeline& pipeline, Job& job, ProgressReport& report,
                 Outcome& outcome, std::unique_ptr<io::OutputLock>& lock) {
  const io::RunKey& key = pipeline.open();
  choose_policy(arguments.session);
  check_starpu_environment();
  lock = lock_output(arguments);
  const RankPlan plan = pipeline.plan();
  pipeline.warn();
  TileSource* tiles = nullptr;
  const auto open_results = [&] {
    tiles = &job.manage(agreement_of(key, plan), pipeline.open_results(), plan.takers, pipeline.workflow());
  };
  if (!arguments.overwrite) open_results();
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    report.update(progress, failure);
  };
  const auto opened = [&]() -> TileSource& {
    if (tiles != nullptr) return *tiles;
    // A failed start of StarPU, or a lack of memory, anywhere replaces nothing.
    check_memory(pipeline.memory_need());
    job.wait_for_ranks(agreement_of(key, plan));
    open_results();
    return *tiles;
  };
  Collected collected;
  with_resume_hint(report, [&] {
    compute_here(arguments, pipeline, job, opened, on_progress, outcome);
    collected.ranks = job.finish();
  });
  for (int rank = 0; rank < job.size(); ++rank) collected.names.push_back(job.name_of(rank));
  return collected;
}

void merge(const RunArguments& arguments, SlidePipeline& pipeline, const Collected& collected, ProgressReport& report,
           Outcome& outcome) {
  report.phase(fmt::format("merging the results of {} ranks", collected.ranks.size()));
  for (std::size_t rank = 1; rank < collected.ranks.size(); ++rank) {
    const fs::path part = part_of(arguments, static_cast<int>(rank));
    std::error_code error;
    const nlohmann::json books = nlohmann::json::parse(collected.ranks[rank].books);
    const std::int64_t stored =
        books["stored"].is_null() ? collected.ranks[rank].tiles : books["stored"].get<std::int64_t>();
    const std::int64_t merged = fs::exists(part, error) ? pipeline.merge(part) : 0;
    if (merged < stored)
      throw Error(ErrorKind::output,
                  fmt::format("{}: holds {} of the {} {}s of {}: --out must be one folder that all nodes share",
                              part.string(), merged, stored, pipeline.unit(), collected.names[rank]));
    io::remove_results_file(part);
    add_books(books, outcome);
  }
}

int manage_and_conclude(const RunArguments& arguments, SlidePipeline& pipeline, std::unique_ptr<Job> job) {
  ProgressReport report(choose_style(arguments.json, arguments.quiet), pipeline.found(), pipeline.unit());
  Outcome outcome;
  std::unique_ptr<io::OutputLock> lock;  // until the exports are written
  const InputState input(arguments.input);
  Collected collected;
  with_failures_told(*job, [&] { collected = manage(arguments, pipeline, *job, report, outcome, lock); });
  job.reset();  // the others may go while this rank merges
  with_resume_hint(report, [&] {
    merge(arguments, pipeline, collected, report, outcome);
    input.check_unchanged();
    pipeline.conclude(report, catch_stop_signals(), outcome);
  });
  return tell(arguments, outcome, nullptr);
}

}  // namespace

int run_as_rank(RunArguments& arguments, SlidePipeline& pipeline) {
  auto job = join_job(arguments, pipeline.plan().use);
  if (job->rank() == 0) return manage_and_conclude(arguments, pipeline, std::move(job));
  arguments.quiet = true;
  return run_as_worker_rank(*job, [&] { work_for_manager(arguments, pipeline, *job); });
}

}  // namespace starpath::apps
