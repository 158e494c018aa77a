// Slots that runs share.
#include "pipelines/run/tile_window.hpp"

#include <utility>

namespace starpath {

/// The window as a run sees it.
class TileWindow::Source final : public TileSource {
 public:
  Source(TileWindow& window, std::size_t run) : window_(window), run_(run) {}
  ~Source() override { window_.remove(run_); }

  void start(TileSink& sink) override { window_.start(run_, sink); }
  void cannot_run(const std::vector<int>&) override {}  // submitting its tasks throws, and names the operation
  void request(std::size_t instances) override { window_.request(run_, instances); }
  void finished(const TileDone& done) override { window_.finished(run_, done); }
  void returned(const StageInstance& instance) override { window_.returned(run_, instance); }
  void send(const StageInstance&, int, std::optional<std::string>) override {}  // there is nobody else
  void stop() override { window_.stop(run_); }
  void drained() override { window_.drained(run_); }
  void leave() override { window_.disconnect(run_); }

 private:
  TileWindow& window_;
  const std::size_t run_;
};

TileWindow::TileWindow(std::size_t size, std::function<void()> on_change)
    : size_(size), on_change_(std::move(on_change)) {}

TileWindow::~TileWindow() = default;

std::unique_ptr<TileSource> TileWindow::join(const std::vector<std::int64_t>& tiles,
                                             const workflow::AbstractWorkflow& workflow) {
  const std::lock_guard lock(mutex_);
  const std::size_t run = joined_++;
  Run& joined = runs_.try_emplace(run, workflow, tiles).first->second;
  if (stopped_) joined.work.stop();
  return std::make_unique<Source>(*this, run);
}

std::size_t TileWindow::unfinished() const {
  const std::lock_guard lock(mutex_);
  std::int64_t tiles = 0;
  for (const auto& [number, run] : runs_) tiles += run.ended ? 0 : run.work.left();
  return static_cast<std::size_t>(tiles);
}

void TileWindow::stop() {
  const std::lock_guard lock(mutex_);
  if (std::exchange(stopped_, true)) return;  // runs that come later are told when they join and start
  for (auto& [number, run] : runs_) {
    run.work.stop();
    if (run.sink != nullptr) run.sink->drop();
  }
  serve();
}

void TileWindow::start(std::size_t run, TileSink& sink) {
  const std::lock_guard lock(mutex_);
  runs_.at(run).sink = &sink;
  if (stopped_) sink.drop();
}

void TileWindow::request(std::size_t run, std::size_t instances) {
  const std::lock_guard lock(mutex_);
  runs_.at(run).asked += instances;
  serve();
}

void TileWindow::finished(std::size_t run, const TileDone& done) {
  {
    const std::lock_guard lock(mutex_);
    Run& worked = runs_.at(run);
    worked.work.finished(0, {done.index, done.stage}, done.over);
    --worked.given;
    --given_;
    serve();
  }
  on_change_();
}

void TileWindow::returned(std::size_t run, const StageInstance& instance) {
  const std::lock_guard lock(mutex_);
  Run& left = runs_.at(run);
  left.work.returned(0, instance);
  --left.given;
  --given_;
  serve();
}

void TileWindow::stop(std::size_t run) {
  const std::lock_guard lock(mutex_);
  runs_.at(run).work.stop();
  serve();
}

void TileWindow::drained(std::size_t run) {
  const std::lock_guard lock(mutex_);
  Run& ended = runs_.at(run);
  ended.ended = true;
  ended.asked = 0;
  ended.sink->over(ended.work.left() > 0);
  serve();
}

void TileWindow::disconnect(std::size_t run) {
  const std::lock_guard lock(mutex_);
  runs_.at(run).sink = nullptr;
}

void TileWindow::remove(std::size_t run) {
  {
    const std::lock_guard lock(mutex_);
    given_ -= runs_.at(run).given;  // of a run that ended by a failure
    runs_.erase(run);
    serve();
  }
  on_change_();
}

void TileWindow::serve() {
  for (auto& [number, run] : runs_) {
    if (run.sink == nullptr || run.ended) continue;
    std::vector<GivenInstance> instances;
    for (; given_ < size_ && run.asked > 0; --run.asked) {
      auto next = run.work.hand_out_kept(0);
      if (!next) next = run.work.hand_out_new(0);
      if (!next) break;
      instances.push_back({next->instance, next->begins, {}});
      ++run.given;
      ++given_;
    }
    if (!instances.empty()) run.sink->give(std::move(instances));
    if (run.told_end || !run.work.exhausted()) continue;
    run.told_end = true;
    run.sink->no_more();
  }
}

}  // namespace starpath
