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
      events_.pop()();
    } catch (...) {
      // The run ends already, for the failure that came first.
    }
}

Progress TileRun::work(std::size_t total, std::size_t left, const std::atomic<bool>& stop) {
  progress_.expect(total, left);
  if (options_.log != nullptr && options_.log->begun == 0) options_.log->begun = starpu_timing_now();
  progress_.tell();
  progress_.tell_notes(pipeline_.prepare_gpus());
  while (!intake_.over()) {
    if (stop) intake_.stop();
    while (jobs_.size() < intake_.window() && writing_ < intake_.window() && intake_.has_next()) start_next();
    if (writing_ < intake_.window()) intake_.ask(jobs_.size());
    if (jobs_.empty() && writing_ == 0) intake_.idle();
    next_event()();
  }
  if (options_.log != nullptr) options_.log->ended = starpu_timing_now();
  return progress_.ended(intake_.over()->interrupted);
}

std::function<void()> TileRun::next_event() {
  for (auto silence = kSilence;; silence *= 2) {
    if (auto event = events_.pop(silence)) return std::move(*event);
    if (!jobs_.empty())
      progress_.tell_notes(
          {fmt::format("nothing has ended for {} s, with {} tiles in flight; to give up, press Ctrl-C "
                       "twice, and continue with --resume",
                       silence.count(), jobs_.size())});
  }
}

void TileRun::handle(const SourceEvent& event) {
  if (ending_) return;
  intake_.handle(event);
  if (const auto* elsewhere = std::get_if<TileDoneElsewhere>(&event)) progress_.finished(elsewhere->tile);
}

void TileRun::start_next() {
  auto made = pipeline_.make_job(intake_.next());
  TileJob& job = *made;
  jobs_.emplace(&job, std::move(made));
  job.attempts = 1;
  job.start();
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
  if (!job.advance()) finish(job, "");
}

void TileRun::retry_or_give_up(TileJob& job) {
  if (job.attempts >= options_.attempts) return finish(job, job.tasks().status.reason());
  ++job.attempts;
  job.reset();
  job.tasks().status.reset();
  job.start();
}

void TileRun::finish(TileJob& job, const std::string& error) {
  ++writing_;
  pipeline_.finish(job, error);
  jobs_.erase(&job);
}

void TileRun::done(const TileDone& tile) {
  if (ending_) return;
  --writing_;
  intake_.finished(tile);
  progress_.finished(tile);
}

}  // namespace starpath
