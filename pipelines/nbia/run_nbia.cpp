// The loop that keeps a window of fields in flight.
#include "pipelines/nbia/run_nbia.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <deque>
#include <memory>
#include <unordered_map>
#include <unordered_set>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/nbia/field_job.hpp"

namespace starpath {
namespace {

class Run {
 public:
  Run(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model, const NbiaOptions& options,
      const ProgressCallback& on_progress)
      : slide_(slide), store_(store), model_(model), options_(options), on_progress_(on_progress) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    find_fields();
  }
  // Tasks hold addresses of jobs: whatever ends the run, they end first.
  ~Run() { starpu_task_wait_for_all(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Progress work(const std::atomic<bool>& stop) {
    const auto window = static_cast<std::size_t>(options_.window > 0 ? options_.window : default_window());
    if (options_.log != nullptr) options_.log->begun = starpu_timing_now();
    report("");
    for (const std::string& note : prepare_gpus()) {
      progress_.note = note;
      report("");
    }
    progress_.note.clear();
    while (true) {
      while (jobs_.size() < window && !todo_.empty() && !stop) start_next();
      if (jobs_.empty()) break;
      handle(events_.pop());
    }
    if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
    progress_.interrupted = !todo_.empty();
    return progress_;
  }

 private:
  using Clock = std::chrono::steady_clock;

  // Most fields end after a few short tasks: more of them than workers keep all busy.
  static int default_window() { return 4 * static_cast<int>(starpu_worker_get_count()); }

  std::vector<std::string> prepare_gpus() const {
    std::size_t samples = 0;
    for (const NbiaLevel& level : model_.levels) samples = std::max(samples, level.labels.size());
    return codelets::prepare_gpu_workers(std::int64_t{model_.field()} * model_.field(),
                                         nbia_gpu_scratch_bytes(samples));
  }

  void find_fields() {
    std::unordered_set<std::int64_t> finished;
    for (const io::FieldRecord& field : store_.fields())
      if (!field.failed) finished.insert(field.index);
    const std::vector<Field> fields = cut_fields(slide_.width(), slide_.height(), model_.field(), options_.roi);
    for (const Field& field : fields)
      if (!finished.contains(field.index)) todo_.push_back(field);
    progress_.tiles_total = static_cast<std::int64_t>(fields.size());
    progress_.tiles_resumed = progress_.tiles_total - static_cast<std::int64_t>(todo_.size());
    progress_.tiles_done = progress_.tiles_resumed;
  }

  void start_next() {
    auto job = std::make_unique<FieldJob>(todo_.front(), model_, data_, slide_, events_);
    todo_.pop_front();
    FieldJob& started = *job;
    jobs_.emplace(&started, std::move(job));
    started.attempts = 1;
    started.look(0);
  }

  std::string stage_name(const FieldEvent& event) const {
    constexpr const char* names[] = {"read", "reduce", "statistics", "classify"};
    const char* name = names[static_cast<std::size_t>(event.stage)];
    if (event.stage == FieldStage::read) return name;
    return fmt::format("{}_{}", name, model_.levels[event.job->level].side);
  }

  void handle(const FieldEvent& event) {
    FieldJob& job = *event.job;
    (event.stage == FieldStage::read ? job.read_seconds : job.compute_seconds) += event.run.seconds();
    const std::string stage = stage_name(event);
    StageShare& share = progress_.shares[event.run.kind][stage];
    ++share.tasks;
    share.seconds += event.run.seconds();
    if (options_.log != nullptr) options_.log->add(stage, event.run);
    if (--job.pending == 0) advance(job);
  }

  void advance(FieldJob& job) {
    if (job.status.failed()) return retry_or_give_up(job);
    const bool last = job.level + 1 == model_.levels.size();
    if (!last && is_recalculated(job.vote(), job.field.index, static_cast<int>(job.level), options_.recalc_rate))
      return job.look(job.level + 1);
    finish(job, "");
  }

  void retry_or_give_up(FieldJob& job) {
    if (job.attempts >= options_.attempts) return finish(job, job.status.reason());
    ++job.attempts;
    job.release();
    job.status.reset();
    job.look(0);
  }

  void finish(FieldJob& job, const std::string& error) {
    const Rect& core = job.field.core;
    const NbiaDecision decision = decision_of(job.vote(), model_.levels[job.level].side);
    job.release();
    store_.commit({job.field.index, core.x, core.y, core.width, core.height, !error.empty(), decision.label,
                   decision.votes, decision.p_value, decision.level, decision.low_confidence, job.read_seconds,
                   job.compute_seconds, error});
    ++progress_.tiles_done;
    if (!error.empty())
      ++progress_.tiles_failed;
    else
      ++(decision.label == NbiaLabel::background ? progress_.tiles_skipped : progress_.found);
    report(error.empty() ? "" : fmt::format("{}: {} ({} attempts)", job.status.place(), error, job.attempts));
    jobs_.erase(&job);
  }

  void report(const std::string& failure) {
    progress_.seconds = std::chrono::duration<double>(Clock::now() - begin_).count();
    if (on_progress_) on_progress_(progress_, failure);
  }

  const io::WorkingSlide& slide_;
  io::FieldStore& store_;
  const NbiaModel& model_;
  const NbiaOptions& options_;
  const ProgressCallback& on_progress_;
  const Clock::time_point begin_ = Clock::now();
  const ModelData data_{model_};
  Progress progress_;
  std::deque<Field> todo_;
  BlockingQueue<FieldEvent> events_;
  std::unordered_map<FieldJob*, std::unique_ptr<FieldJob>> jobs_;
};

}  // namespace

Progress run_nbia(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                  const NbiaOptions& options, const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  check_nbia_options(slide, model, options);
  return Run(slide, store, model, options, on_progress).work(stop);
}

}  // namespace starpath
