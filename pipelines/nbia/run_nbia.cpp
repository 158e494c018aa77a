// The loop that keeps a window of fields in flight.
#include "pipelines/nbia/run_nbia.hpp"

#include <starpu.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <variant>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/nbia/field_job.hpp"
#include "pipelines/run/own_tiles.hpp"
#include "pipelines/run/run_progress.hpp"

namespace starpath {
namespace {

std::unordered_set<std::int64_t> finished_fields(const io::FieldStore& store) {
  std::unordered_set<std::int64_t> finished;
  for (const io::FieldRecord& field : store.fields())
    if (!field.failed) finished.insert(field.index);
  return finished;
}

class Run {
 public:
  Run(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model, const NbiaOptions& options,
      TileSource& source, const ProgressCallback& on_progress)
      : slide_(slide),
        store_(store),
        model_(model),
        options_(options),
        progress_(on_progress),
        intake_(source, window_of(options), [this](SourceEvent event) { events_.push(std::move(event)); }) {
    starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
    FieldsToDo to_do = fields_to_do(slide, store, model, options);
    progress_.expect(to_do.total, to_do.fields.size());
    fields_ = std::move(to_do.fields);
  }
  // Tasks hold addresses of jobs: whatever ends the run, they end first.
  ~Run() { starpu_task_wait_for_all(); }
  Run(const Run&) = delete;
  Run& operator=(const Run&) = delete;

  Progress work(const std::atomic<bool>& stop) {
    if (options_.log != nullptr) options_.log->begun = starpu_timing_now();
    progress_.tell();
    progress_.tell_notes(prepare_gpus_for(model_));
    while (!intake_.over()) {
      if (stop) intake_.stop();
      while (jobs_.size() < intake_.window() && intake_.has_next()) start_next();
      intake_.ask(jobs_.size());
      if (jobs_.empty()) intake_.idle();
      const auto event = events_.pop();
      std::visit([&](const auto& known) { handle(known); }, event);
    }
    if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
    return progress_.ended(intake_.over()->interrupted);
  }

 private:
  // Most fields end after a few short tasks: more of them than workers keep all busy.
  static std::size_t window_of(const NbiaOptions& options) {
    return options.window > 0 ? static_cast<std::size_t>(options.window) : std::size_t{4} * starpu_worker_get_count();
  }

  void handle(const SourceEvent& event) {
    intake_.handle(event);
    if (const auto* done = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(done->tile);
  }

  void start_next() {
    auto job = std::make_unique<FieldJob>(fields_.at(intake_.next()), model_, data_, slide_, events_);
    FieldJob& started = *job;
    jobs_.emplace(&started, std::move(job));
    started.attempts = 1;
    started.look(0);
  }

  void handle(const FieldEvent& event) {
    FieldJob& job = *event.job;
    (event.stage == FieldStage::read ? job.read_seconds : job.compute_seconds) += event.run.seconds();
    const std::string stage = stage_name(event.stage, model_.levels[job.level].side);
    progress_.task_ended(stage, event.run);
    if (options_.log != nullptr) options_.log->add(stage, event.run);
    if (--job.tasks.pending == 0) advance(job);
  }

  void advance(FieldJob& job) {
    if (job.tasks.status.failed()) return retry_or_give_up(job);
    const bool last = job.level + 1 == model_.levels.size();
    if (!last && is_recalculated(job.vote(), job.field.index, static_cast<int>(job.level), options_.recalc_rate))
      return job.look(job.level + 1);
    finish(job, "");
  }

  void retry_or_give_up(FieldJob& job) {
    if (job.attempts >= options_.attempts) return finish(job, job.tasks.status.reason());
    ++job.attempts;
    job.release();
    job.tasks.status.reset();
    job.look(0);
  }

  void finish(FieldJob& job, const std::string& error) {
    const NbiaVote vote = error.empty() ? job.vote() : NbiaVote{};
    const NbiaDecision decision = decision_of(vote, model_.levels[job.level].side);
    job.release();
    store_.commit(record_of(job.field, decision, job.read_seconds, job.compute_seconds, error));
    const TileDone done = done_with(job.field, decision.label == NbiaLabel::background,
                                    error.empty() ? "" : failure_text(job.tasks.status.place(), error, job.attempts));
    jobs_.erase(&job);
    intake_.finished(done);
    progress_.finished(done);
  }

  const io::WorkingSlide& slide_;
  io::FieldStore& store_;
  const NbiaModel& model_;
  const NbiaOptions& options_;
  const ModelData data_{model_};
  RunProgress progress_;
  std::unordered_map<std::int64_t, Field> fields_;  // that may be given
  FieldEventQueue events_;
  TileIntake intake_;
  std::unordered_map<FieldJob*, std::unique_ptr<FieldJob>> jobs_;
};

}  // namespace

std::vector<std::string> prepare_gpus_for(const NbiaModel& model) {
  std::size_t samples = 0;
  for (const NbiaLevel& level : model.levels) samples = std::max(samples, level.labels.size());
  return codelets::prepare_gpu_workers(std::int64_t{model.field()} * model.field(), nbia_gpu_scratch_bytes(samples));
}

FieldsToDo fields_to_do(const io::WorkingSlide& slide, const io::FieldStore& store, const NbiaModel& model,
                        const NbiaOptions& options) {
  const auto finished = finished_fields(store);
  const std::vector<Field> all = cut_fields(slide.width(), slide.height(), model.field(), options.roi);
  FieldsToDo to_do{{}, all.size()};
  for (const Field& field : all)
    if (!finished.contains(field.index)) to_do.fields.emplace(field.index, field);
  return to_do;
}

io::FieldRecord record_of(const Field& field, const NbiaDecision& decision, double read_seconds, double compute_seconds,
                          const std::string& error) {
  const Rect& core = field.core;
  return {field.index,
          core.x,
          core.y,
          core.width,
          core.height,
          !error.empty(),
          decision.label,
          decision.votes,
          decision.p_value,
          decision.level,
          decision.low_confidence,
          read_seconds,
          compute_seconds,
          error};
}

TileDone done_with(const Field& field, bool background, const std::string& failure) {
  const bool failed = !failure.empty();
  return {field.index, failed, !failed && background, !failed && !background, failure};
}

std::vector<std::int64_t> fields_left(const io::WorkingSlide& slide, const io::FieldStore& store,
                                      const NbiaModel& model, const NbiaOptions& options) {
  const auto finished = finished_fields(store);
  std::vector<std::int64_t> left;
  for (const Field& field : cut_fields(slide.width(), slide.height(), model.field(), options.roi))
    if (!finished.contains(field.index)) left.push_back(field.index);
  return left;
}

Progress run_nbia_fields(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                         const NbiaOptions& options, TileSource& source, const ProgressCallback& on_progress,
                         const std::atomic<bool>& stop) {
  check_nbia_options(slide, model, options);
  return Run(slide, store, model, options, source, on_progress).work(stop);
}

Progress run_nbia(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                  const NbiaOptions& options, const ProgressCallback& on_progress, const std::atomic<bool>& stop) {
  OwnTiles fields(fields_left(slide, store, model, options));
  return run_nbia_fields(slide, store, model, options, fields, on_progress, stop);
}

}  // namespace starpath
