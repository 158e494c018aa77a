// One order of steps for a process alone, for rank 0 and for the other ranks.
#include "apps/run/run_pipeline.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "apps/run/compute.hpp"
#include "apps/run/input_state.hpp"
#include "apps/run/output_folder.hpp"
#include "apps/run/rank_books.hpp"
#include "apps/run/rank_life.hpp"
#include "apps/run/record_file.hpp"
#include "apps/run/run_record.hpp"
#include "apps/run/stop_signals.hpp"
#include "apps/run/write_exports.hpp"
#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "io/results/result_parts.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/run/tile_list.hpp"

namespace starpath::apps {
namespace {

using mpi::Job;

const std::atomic<bool> kNever{false};  // in a job, which hears of signals and tells every rank

/// Runs `work`. What it throws of kind output says how to go on.
void with_resume_hint(ProgressReport& report, const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    report.close();
    if (error.kind() != ErrorKind::output) throw;
    throw Error(error.kind(), fmt::format("{}; then continue with --resume", error.what()));
  }
}

/// Before anything is written. Returns what all ranks must agree in.
mpi::Agreement begin(const RunRequest& request, RunSteps& steps, Role role) {
  mpi::Agreement agreement = steps.open(role);
  nlohmann::json parameters = nlohmann::json::parse(agreement.parameters);
  parameters["export"] = request.exports;
  agreement.parameters = parameters.dump();
  choose_policy(request.session);
  check_starpu_environment();
  return agreement;
}

std::filesystem::path part_of(const RunRequest& request, int rank) {
  return io::part_file(results_file(request), rank);
}

/// Ranks other than 0.
void work_for_manager(const RunRequest& request, RunSteps& steps, Job& job) {
  const mpi::Agreement agreement = begin(request, steps, Role::worker);
  std::optional<io::OutputLock> lock;
  Computed computed;
  RunWork work;
  work.session = compute(request, [&] {
    if (request.overwrite) check_memory(steps.memory_need());  // before rank 0 replaces anything
    TileSource& units = job.work(agreement);
    lock.emplace(request.out, job.rank());
    steps.open_part(part_of(request, job.rank()));
    computed = steps.compute(units, {}, kNever, &job);
    work.traffic = {job.sent(), computed.buffers};
  });
  steps.close();
  work.progress = std::move(computed.progress);
  job.bye(nlohmann::json{{"work", books_of(work)},
                         {"stored", computed.stored ? nlohmann::json(*computed.stored) : nlohmann::json()},
                         {"more", computed.more}}
              .dump());
}

/// What the manager holds from before StarPU starts until the exports are written.
struct Held {
  mpi::Agreement agreement;
  std::unique_ptr<io::OutputLock> lock;
  std::unique_ptr<AtomicFile> record;
};

/// What the manager has when StarPU has ended and the other ranks are gone.
struct Worked {
  RunWork work;
  std::optional<RunRecord> record;  ///< when it was asked for
  std::vector<RankPart> parts;
};

/// Gives the manager's work to StarPU. `job` is nullptr in a process that is no rank.
Worked compute_units(const RunRequest& request, RunSteps& steps, const Held& held, Job* job, ProgressReport& report) {
  std::optional<TileList> list;
  TileSource* units = nullptr;
  const auto hand_out = [&] {
    const std::vector<std::int64_t> left = steps.open_results();
    units = job != nullptr ? &job->manage(held.agreement, left, steps.plan().takers, steps.workflow())
                           : &list.emplace(left, steps.workflow());
  };
  if (!request.overwrite) hand_out();
  const std::atomic<bool>& stop = job != nullptr ? kNever : catch_stop_signals();
  const auto on_progress = [&](const Progress& progress, const std::string& failure) {
    report.update(progress, failure);
  };
  Worked worked;
  with_resume_hint(report, [&] {
    worked.work.session = compute(request, [&] {
      if (units == nullptr) {  // a failed start of StarPU, or a lack of memory, anywhere replaces nothing
        check_memory(steps.memory_need());
        if (job != nullptr) job->wait_for_ranks(held.agreement);
        hand_out();
      }
      Computed computed = steps.compute(*units, on_progress, stop, job);
      if (job != nullptr) worked.work.traffic = {job->sent(), computed.buffers};
      if (held.record && !computed.progress.interrupted) worked.record = record_of(computed.log);
      worked.work.progress = std::move(computed.progress);
    });
    if (job != nullptr) steps.close();
  });
  return worked;
}

/// Adds what the other ranks did, which are done.
void add_ranks(const RunRequest& request, Job& job, Worked& worked) {
  const std::vector<mpi::RankResult> ranks = job.finish();
  for (int rank = 1; rank < job.size(); ++rank) {
    const mpi::RankResult& ended = ranks[static_cast<std::size_t>(rank)];
    const nlohmann::json books = nlohmann::json::parse(ended.books);
    add_books(books["work"], worked.work);
    worked.parts.push_back({job.name_of(rank), part_of(request, rank),
                            books["stored"].is_null() ? ended.tiles : books["stored"].get<std::int64_t>(),
                            books["more"]});
  }
}

void write_record(const RunRequest& request, AtomicFile& file, RunRecord record, const Conclusion& conclusion) {
  record.found = counted(conclusion);
  file.write(to_json(record).dump() + "\n");
  check_is_record(request);
  file.commit();
}

/// A process alone, and rank 0.
int manage(const RunRequest& request, RunSteps& steps, std::unique_ptr<Job> job) {
  ProgressReport report(choose_style(request.json, request.quiet), steps.found(), steps.unit());
  const InputState input(request.input);
  Held held;
  Worked worked;
  const auto work = [&] {
    held.agreement = begin(request, steps, Role::manager);
    held.lock = lock_output(request);
    held.record = open_record(request);
    steps.warn();
    worked = compute_units(request, steps, held, job.get(), report);
    if (job) with_resume_hint(report, [&] { add_ranks(request, *job, worked); });
  };
  const bool among_ranks = job != nullptr;
  among_ranks ? with_failures_told(*job, work) : work();
  job.reset();  // the others may go while this rank merges
  Conclusion conclusion;
  with_resume_hint(report, [&] {
    if (among_ranks) steps.take_over(worked.parts, report);
    input.check_unchanged();
    conclusion = steps.conclude(worked.work, {report, catch_stop_signals(), threads_after(request.session)});
  });
  if (worked.record) write_record(request, *held.record, std::move(*worked.record), conclusion);
  return tell(request, {steps.unit(), std::move(worked.work), std::move(conclusion)});
}

}  // namespace

int run_pipeline(const RunRequest& request, RunSteps& steps) {
  const bool is_rank = mpi::launched_ranks() > 1 || steps.plan().use == mpi::MpiUse::shared;
  if (!is_rank) return manage(request, steps, nullptr);
  auto job = join_job(request, steps.plan().use);
  if (job->rank() == 0) return manage(request, steps, std::move(job));
  return run_as_worker_rank(*job, [&] { work_for_manager(request, steps, *job); });
}

}  // namespace starpath::apps
