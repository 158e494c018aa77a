// One order of steps for a process alone, for rank 0 and for the other ranks.
#include "runs/run_pipeline.hpp"

#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/error.hpp"
#include "base/own_file.hpp"
#include "base/stop_signals.hpp"
#include "comparison/record.hpp"
#include "io/results/result_parts.hpp"
#include "mpi/network/network.hpp"
#include "pipelines/run/starpu_environment.hpp"
#include "pipelines/run/tile_list.hpp"
#include "runs/compute.hpp"
#include "runs/input_state.hpp"
#include "runs/output_folder.hpp"
#include "runs/rank_life.hpp"
#include "runs/run_record.hpp"
#include "runs/write_exports.hpp"

namespace starpath {
namespace {

using mpi::Job;

const std::atomic<bool> kNever{false};  // in a job, which hears of signals and tells every rank
constexpr OutputKind kRecord = {"starpath --record", is_record_file};

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

nlohmann::json json_of(const mpi::Traffic& traffic) { return {traffic.messages, traffic.bytes}; }

void add(const nlohmann::json& sent, mpi::Traffic& sum) {
  sum.messages += sent[0].get<std::int64_t>();
  sum.bytes += sent[1].get<std::int64_t>();
}

/// Who ran what on this rank, as it tells rank 0.
nlohmann::json books_of(const RunWork& work) {
  nlohmann::json shares = nlohmann::json::object();
  for (const auto& [kind, stages] : work.progress.shares)
    for (const auto& [stage, share] : stages) shares[kind][stage] = {share.tasks, share.seconds};
  return {{"cpu", work.session.cpu_workers},
          {"gpu", work.session.gpu_workers},
          {"shares", shares},
          {"control", json_of(work.traffic->control)},
          {"buffers", json_of(work.traffic->buffers)}};
}

/// Adds what books_of() made on another rank.
void add_books(const nlohmann::json& books, RunWork& work) {
  add(books["control"], work.traffic->control);
  add(books["buffers"], work.traffic->buffers);
  work.session.cpu_workers += books["cpu"].get<int>();
  work.session.gpu_workers += books["gpu"].get<int>();
  for (const auto& [kind, stages] : books["shares"].items())
    for (const auto& [stage, share] : stages.items())
      work.progress.add({{kind, {{stage, {share[0].get<std::int64_t>(), share[1].get<double>()}}}}});
}

/// Ranks other than 0.
void work_for_manager(const RunRequest& request, RunSteps& steps, RunListener& listener, Job& job) {
  const mpi::Agreement agreement = begin(request, steps, Role::worker);
  std::optional<io::OutputLock> lock;
  Computed computed;
  RunWork work;
  work.session = compute(request, listener, [&] {
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

/// The run of a process alone, and of rank 0.
class ManagedRun {
 public:
  /// `job` is nullptr in a process that is no rank.
  ManagedRun(const RunRequest& request, RunSteps& steps, RunListener& listener, std::unique_ptr<Job> job)
      : request_(request), steps_(steps), listener_(listener), job_(std::move(job)), input_(request.input) {}

  RunResult run() {
    const bool among_ranks = job_ != nullptr;
    among_ranks ? with_failures_told(*job_, [this] { work(); }) : work();
    job_.reset();  // the others may go while this rank merges
    Conclusion conclusion;
    with_resume_hint([&] {
      if (among_ranks) steps_.take_over(parts_, listener_);
      input_.check_unchanged();
      steps_.check_inputs();
      conclusion = steps_.conclude(work_, {listener_, catch_stop_signals(), threads_after(request_.session)});
    });
    if (record_) write_record(conclusion);
    return {steps_.unit(), std::move(work_), std::move(conclusion)};
  }

 private:
  /// Does what `step` does. What it throws of kind output says how to go on.
  void with_resume_hint(const std::function<void()>& step) {
    try {
      step();
    } catch (const Error& error) {
      listener_.close();
      if (error.kind() != ErrorKind::output) throw;
      throw Error(error.kind(), fmt::format("{}; then continue with --resume", error.what()));
    }
  }

  void work() {
    agreement_ = begin(request_, steps_, Role::manager);
    lock_ = lock_output(request_);
    if (!request_.record.empty())  // a file that cannot be written is known before hours of work
      record_file_ = std::make_unique<AtomicFile>(request_.record, kRecord);
    for (const std::string& note : steps_.notes()) listener_.note(note);
    compute_units();
    if (job_) with_resume_hint([this] { add_ranks(); });
  }

  /// Opens the results, and hands out the units that are left.
  TileSource& hand_out() {
    const std::vector<std::int64_t> left = steps_.open_results();
    if (job_) return job_->manage(agreement_, left, steps_.plan().takers, steps_.workflow());
    return list_.emplace(left, steps_.workflow());
  }

  void compute_units() {
    TileSource* units = request_.overwrite ? nullptr : &hand_out();
    const std::atomic<bool>& stop = job_ ? kNever : catch_stop_signals();
    const auto on_progress = [this](const Progress& progress, const std::string& failure) {
      listener_.update(progress, failure);
    };
    with_resume_hint([&] {
      work_.session = compute(request_, listener_, [&] {
        if (units == nullptr) {  // a failed start of StarPU, or a lack of memory, anywhere replaces nothing
          check_memory(steps_.memory_need());
          if (job_) job_->wait_for_ranks(agreement_);
          units = &hand_out();
        }
        Computed computed = steps_.compute(*units, on_progress, stop, job_.get());
        if (job_) work_.traffic = {job_->sent(), computed.buffers};
        if (record_file_ && !computed.progress.interrupted) record_ = record_of(computed.log);
        work_.progress = std::move(computed.progress);
      });
      if (job_) steps_.close();
    });
  }

  /// Adds what the other ranks did, which are done.
  void add_ranks() {
    const std::vector<mpi::RankResult> ranks = job_->finish();
    for (int rank = 1; rank < job_->size(); ++rank) {
      const mpi::RankResult& ended = ranks[static_cast<std::size_t>(rank)];
      const nlohmann::json books = nlohmann::json::parse(ended.books);
      add_books(books["work"], work_);
      parts_.push_back({job_->name_of(rank), part_of(request_, rank),
                        books["stored"].is_null() ? ended.tiles : books["stored"].get<std::int64_t>(), books["more"]});
    }
  }

  void write_record(const Conclusion& conclusion) {
    record_->found = counted(conclusion);
    record_file_->write(to_json(*record_).dump() + "\n");
    record_file_->commit();
  }

  const RunRequest& request_;
  RunSteps& steps_;
  RunListener& listener_;
  std::unique_ptr<Job> job_;
  const InputState input_;
  mpi::Agreement agreement_;
  std::unique_ptr<io::OutputLock> lock_;
  std::unique_ptr<AtomicFile> record_file_;  // when a record was asked for
  std::optional<TileList> list_;             // of the units, without a job
  std::optional<RunRecord> record_;
  RunWork work_;
  std::vector<RankPart> parts_;
};

}  // namespace

std::optional<RunResult> run_pipeline(const RunRequest& request, RunSteps& steps, RunListener& listener) {
  const bool is_rank = mpi::launched_ranks() > 1 || steps.plan().use == mpi::MpiUse::shared;
  auto job = is_rank ? join_job(request, steps.plan().use, listener) : nullptr;
  if (!job || job->rank() == 0) return ManagedRun(request, steps, listener, std::move(job)).run();
  run_as_worker_rank(*job, [&] { work_for_manager(request, steps, listener, *job); });
  return std::nullopt;
}

}  // namespace starpath
