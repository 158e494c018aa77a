// NBIA as a pipeline over fields.
#include "pipelines/nbia/run_nbia.hpp"

#include <starpu.h>

#include <algorithm>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/nbia/field_job.hpp"
#include "pipelines/nbia/fields.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/run/tile_run.hpp"

namespace starpath {
namespace {

std::unordered_set<std::int64_t> finished_fields(const io::FieldStore& store) {
  std::unordered_set<std::int64_t> finished;
  for (const io::FieldRecord& field : store.fields())
    if (!field.failed) finished.insert(field.index);
  return finished;
}

// Most fields end after a few short tasks: more of them than workers keep all busy.
std::size_t window_of(const NbiaOptions& options) {
  return options.window > 0 ? static_cast<std::size_t>(options.window) : std::size_t{4} * starpu_worker_get_count();
}

/// Fields that are not decided yet, of so many.
struct UndecidedFields {
  std::unordered_map<std::int64_t, Field> fields;  // by index
  std::size_t total;
};

UndecidedFields undecided_fields(const io::WorkingSlide& slide, const io::FieldStore& store, const NbiaModel& model,
                                 const NbiaOptions& options) {
  const auto finished = finished_fields(store);
  const std::vector<Field> all = cut_fields(slide.width(), slide.height(), model.field(), options.roi);
  UndecidedFields undecided{{}, all.size()};
  for (const Field& field : all)
    if (!finished.contains(field.index)) undecided.fields.emplace(field.index, field);
  return undecided;
}

/// Takes the GPU memory that the model needs. Returns a line for each GPU that has too little.
std::vector<std::string> prepare_gpus_for(const NbiaModel& model) {
  std::size_t samples = 0;
  for (const NbiaLevel& level : model.levels) samples = std::max(samples, level.labels.size());
  return codelets::prepare_gpu_workers(std::int64_t{model.field()} * model.field(), nbia_gpu_scratch_bytes(samples));
}

/// The stored record of a decided field (`error` empty) or of one that was given up.
io::FieldRecord record_of(const Field& field, const NbiaDecision& decision, double read_seconds, double compute_seconds,
                          const std::string& error) {
  const Rect& core = field.core;
  return {field.index,
          core.x,
          core.y,
          core.width,
          core.height,
          !error.empty(),
          static_cast<int>(decision.label),
          decision.votes,
          decision.p_value,
          decision.level,
          decision.low_confidence,
          decision.distance,
          decision.out_of_range,
          read_seconds,
          compute_seconds,
          error};
}

/// The run's report on a field; `failure` for people, empty unless the field was given up.
TileDone done_with(const Field& field, bool background, const std::string& failure) {
  const bool failed = !failure.empty();
  return {field.index, failed, !failed && background, !failed && !background, failure};
}

class Nbia : public TilePipeline {
 public:
  Nbia(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model, const NbiaOptions& options,
       const MakeTileLoop& make_loop)
      : slide_(slide),
        store_(store),
        model_(model),
        options_(options),
        undecided_(undecided_fields(slide, store, model, options)),
        loop_(make_loop(*this, {window_of(options), options.attempts, options.log})) {}

  Progress work(const std::atomic<bool>& stop) { return loop_->work(undecided_.total, undecided_.fields.size(), stop); }

  std::vector<std::string> prepare_gpus() override { return prepare_gpus_for(model_); }
  std::vector<int> cannot_run() const override {
    const bool runs =
        std::ranges::all_of(kFieldGraph, [](const NbiaStage& stage) { return runs_here(*stage.codelet); });
    return runs ? std::vector<int>{} : std::vector<int>{0};
  }
  MemoryNeed memory_need() const override { return memory_need_of(model_); }
  std::unique_ptr<TileJob> make_job(std::int64_t field) override {
    return std::make_unique<FieldJob>(undecided_.fields.at(field), model_, data_, slide_, options_.recalc_rate, *loop_);
  }
  JudgingTraits judging() const override { return {"nbia_judging", {Fact::level_pixels, Fact::tissue_pixels}}; }
  void finish(TileJob& finished, const std::string& error) override {
    auto& job = static_cast<FieldJob&>(finished);
    const NbiaDecision decision = job.decision();
    job.release();
    store_.commit(record_of(job.field(), decision, job.read_seconds, job.compute_seconds, error));
    loop_->done(done_with(job.field(), decision.label == NbiaLabel::background,
                          error.empty() ? "" : failure_text(job.tasks().status.place(), error, job.attempts)));
  }

 private:
  const io::WorkingSlide& slide_;
  io::FieldStore& store_;
  const NbiaModel& model_;
  const NbiaOptions& options_;
  const ModelData data_{model_};
  const UndecidedFields undecided_;
  const std::unique_ptr<TileLoop> loop_;  // last: its tasks end before the members that they use
};

}  // namespace

MemoryNeed memory_need_of(const NbiaModel& model) {
  const auto bytes = [](std::int64_t side) { return side * side * std::int64_t{sizeof(Rgb)}; };
  std::int64_t reduced = 0;  // beside the field as it was read
  for (const NbiaLevel& level : model.levels)
    if (level.side != model.field()) reduced = std::max(reduced, bytes(level.side));
  const std::int64_t field = bytes(model.field());
  return {field + reduced, field, "field", "use a model of smaller fields"};
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
                         const NbiaOptions& options, const MakeTileLoop& make_loop, const std::atomic<bool>& stop) {
  check_nbia_options(slide, model, options);
  return Nbia(slide, store, model, options, make_loop).work(stop);
}

Progress run_nbia_fields(const io::WorkingSlide& slide, io::FieldStore& store, const NbiaModel& model,
                         const NbiaOptions& options, TileSource& source, const ProgressCallback& on_progress,
                         const std::atomic<bool>& stop) {
  return run_nbia_fields(slide, store, model, options, tile_runs(source, on_progress), stop);
}

}  // namespace starpath
