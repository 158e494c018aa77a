// Events until the work is over.
#include "pipelines/run/tile_run.hpp"

#include <fmt/format.h>
#include <starpu.h>

#include <algorithm>
#include <chrono>
#include <utility>
#include <variant>

namespace starpath {
namespace {

constexpr std::chrono::seconds kSilence{60};  // after which a user would wonder
constexpr std::chrono::seconds kLook{1};      // between two looks of a MemoryWatch

}  // namespace

TileRun::TileRun(TilePipeline& pipeline, TileSource& source, const TileRunOptions& options,
                 const ProgressCallback& on_progress)
    : pipeline_(pipeline),
      options_(options),
      progress_(on_progress),
      intake_(source, options.window,
              [this](SourceEvent event) { post([this, told = std::move(event)] { handle(told); }); }) {
  starpu_profiling_status_set(STARPU_PROFILING_ENABLE);
}

TileRun::~TileRun() {
  ending_ = true;
  const auto works = [](const auto& job) { return job.second->tasks().pending > 0; };
  while (std::ranges::any_of(jobs_, works)) try {
      next_event()();
    } catch (...) {
      // The run ends already, for the failure that came first.
    }
}

Progress TileRun::work(std::size_t total, std::size_t left, const std::atomic<bool>& stop) {
  progress_.expect(total, left);
  if (left > 0) need_ = pipeline_.memory_need();
  check_memory(need_);
  memory_.emplace(need_.largest);
  if (options_.log != nullptr && options_.log->begun == 0) options_.log->begun = starpu_timing_now();
  progress_.tell();
  progress_.tell_notes(pipeline_.prepare_gpus());
  intake_.cannot_run(pipeline_.cannot_run());
  while (!intake_.over()) {
    if (stop) intake_.stop();
    while (in_flight() < intake_.window() && writing_ < intake_.window() && intake_.has_next()) start(intake_.next());
    if (writing_ < intake_.window()) intake_.ask(in_flight());
    if (in_flight() == 0 && writing_ == 0) intake_.idle();
    if (in_flight() == 0 && writing_ > 0) rest_.rest();
    const auto event = next_event();
    rest_.wake();
    event();
  }
  if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
  return progress_.ended(intake_.over()->interrupted);
}

std::function<void()> TileRun::next_event() {
  for (auto silence = kSilence;; silence *= 2) {
    if (auto event = next_event_within(silence)) return std::move(*event);
    if (!jobs_.empty() && !ending_)
      progress_.tell_notes(
          {fmt::format("nothing has ended for {} s, with {} tiles in flight; to give up, press Ctrl-C "
                       "twice, and continue with --resume",
                       silence.count(), jobs_.size())});
  }
}

std::optional<std::function<void()>> TileRun::next_event_within(std::chrono::seconds limit) {
  for (; limit > limit.zero(); limit -= kLook) {
    if (auto event = events_.pop(kLook)) return event;
    if (!jobs_.empty() && memory_->starved())
      end_run_without_memory(need_, fmt::format("{} {}s in flight", jobs_.size(), need_.whose));
  }
  return std::nullopt;
}

void TileRun::handle(const SourceEvent& event) {
  if (ending_) return;
  intake_.handle(event);
  if (const auto* elsewhere = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(elsewhere->tile);
  if (const auto* forget = std::get_if<ForgetTile>(&event)) kept_.erase(forget->tile);
  if (const auto* wanted = std::get_if<DataWanted>(&event)) hand_over(*wanted);
}

void TileRun::start(GivenInstance given) {
  const std::int64_t tile = given.instance.tile;
  if (given_up_.contains(tile)) {
    intake_.finished({tile, false, false, 0, "", given.instance.stage, false});
    return start_behind(tile);
  }
  if (std::ranges::any_of(jobs_, [&](const auto& job) { return job.first->instance.tile == tile; })) {
    behind_.emplace(tile, std::move(given));
    return;
  }
  TileJob& job = job_for(given);
  job.instance = given.instance;
  job.attempts = 1;
  for (const StageData& input : given.inputs) job.unpack(input.stage, input.bytes);
  job.start(given.instance.stage);
}

/// The one that is kept, or a new one.
TileJob& TileRun::job_for(const GivenInstance& given) {
  const auto kept = kept_.find(given.instance.tile);
  auto owned = kept == kept_.end() ? pipeline_.make_job(given.instance.tile) : std::move(kept->second);
  if (kept != kept_.end()) kept_.erase(kept);
  TileJob& job = *owned;
  jobs_.emplace(&job, std::move(owned));
  return job;
}

/// A stage is done, and others follow.
void TileRun::keep(TileJob& job) {
  const StageInstance done = job.instance;
  kept_.insert_or_assign(done.tile, std::move(jobs_.extract(&job).mapped()));
  intake_.finished({done.tile, false, false, 0, "", done.stage, false});
  start_behind(done.tile);
}

void TileRun::start_behind(std::int64_t tile) {
  if (const auto next = behind_.find(tile); next != behind_.end()) start(behind_.extract(next).mapped());
}

void TileRun::hand_over(const DataWanted& wanted) {
  const std::int64_t tile = wanted.instance.tile;
  const auto kept = kept_.find(tile);
  const auto working = std::ranges::find_if(jobs_, [&](const auto& job) { return job.first->instance.tile == tile; });
  TileJob* const job = kept != kept_.end() ? kept->second.get() : working != jobs_.end() ? working->first : nullptr;
  intake_.send(wanted.instance, wanted.by, job == nullptr ? std::nullopt : job->pack(wanted.instance.stage));
}

void TileRun::task_ended(TileJob& job, const std::string& stage, bool reading, const TaskExecution& task) {
  if (ending_) {
    --job.tasks().pending;
    return;
  }
  (reading ? job.read_seconds : job.compute_seconds) += task.seconds();
  progress_.task_ended(stage, task);
  if (options_.log != nullptr) options_.log->add(stage, task);
  if (--job.tasks().pending == 0) advance(job);
}

void TileRun::advance(TileJob& job) {
  if (job.tasks().status.failed()) return retry_or_give_up(job);
  if (job.advance()) return;
  if (job.over())
    finish(job, "");
  else
    keep(job);
}

void TileRun::retry_or_give_up(TileJob& job) {
  if (job.attempts >= options_.attempts) return finish(job, job.tasks().status.reason());
  ++job.attempts;
  job.reset();
  job.tasks().status.reset();
  job.start(job.instance.stage);
}

void TileRun::finish(TileJob& job, const std::string& error) {
  ++writing_;
  last_stages_[job.instance.tile] = job.instance.stage;
  const std::int64_t tile = job.instance.tile;
  if (!error.empty()) given_up_.insert(tile);
  pipeline_.finish(job, error);
  jobs_.erase(&job);
  start_behind(tile);
}

void TileRun::done(const TileDone& tile) {
  if (ending_) return;
  --writing_;
  TileDone last = tile;
  last.stage = last_stages_.extract(tile.index).mapped();
  intake_.finished(last);
  progress_.finished(tile);
}

MakeTileLoop tile_runs(TileSource& source, const ProgressCallback& on_progress) {
  return [&](TilePipeline& pipeline, const TileRunOptions& options) {
    return std::make_unique<TileRun>(pipeline, source, options, on_progress);
  };
}

}  // namespace starpath
