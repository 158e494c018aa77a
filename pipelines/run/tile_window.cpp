// Slots that runs share.
#include "pipelines/run/tile_window.hpp"

#include <utility>

namespace starpath {

/// What a run sees of the window.
class TileWindow::Source final : public TileSource {
 public:
  Source(TileWindow& window, std::size_t run) : window_(window), run_(run) {}
  ~Source() override { window_.remove(run_); }

  void start(TileSink& sink) override { window_.start(run_, sink); }
  void request(std::size_t tiles) override { window_.request(run_, tiles); }
  void finished(const TileDone&) override { window_.finished(run_); }
  void drained(std::size_t dropped) override { window_.drained(run_, dropped); }
  void leave() override { window_.disconnect(run_); }

 private:
  TileWindow& window_;
  const std::size_t run_;
};

TileWindow::TileWindow(std::size_t size, std::function<void()> on_change)
    : size_(size), on_change_(std::move(on_change)) {}

TileWindow::~TileWindow() = default;

std::unique_ptr<TileSource> TileWindow::join(const std::vector<std::int64_t>& tiles) {
  const std::lock_guard lock(mutex_);
  const std::size_t run = joined_++;
  runs_[run].left.assign(tiles.begin(), tiles.end());
  return std::make_unique<Source>(*this, run);
}

std::size_t TileWindow::unfinished() const {
  const std::lock_guard lock(mutex_);
  std::size_t tiles = 0;
  for (const auto& [number, run] : runs_) tiles += run.left.size() + run.given;
  return tiles;
}

void TileWindow::stop() {
  const std::lock_guard lock(mutex_);
  stopped_ = true;
  serve();
}

void TileWindow::start(std::size_t run, TileSink& sink) {
  const std::lock_guard lock(mutex_);
  runs_[run].sink = &sink;
}

void TileWindow::request(std::size_t run, std::size_t tiles) {
  const std::lock_guard lock(mutex_);
  runs_[run].asked += tiles;
  serve();
}

void TileWindow::finished(std::size_t run) {
  {
    const std::lock_guard lock(mutex_);
    --runs_[run].given;
    --given_;
    serve();
  }
  on_change_();
}

void TileWindow::drained(std::size_t run, std::size_t dropped) {
  const std::lock_guard lock(mutex_);
  Run& left = runs_[run];
  left.given -= dropped;
  given_ -= dropped;
  left.asked = 0;
  left.sink->over(dropped > 0 || !left.left.empty());
  serve();
}

void TileWindow::disconnect(std::size_t run) {
  const std::lock_guard lock(mutex_);
  runs_[run].sink = nullptr;
}

void TileWindow::remove(std::size_t run) {
  {
    const std::lock_guard lock(mutex_);
    given_ -= runs_[run].given;  // of a run that ended by a failure
    runs_.erase(run);
    serve();
  }
  on_change_();
}

void TileWindow::serve() {
  for (auto& [number, run] : runs_) {
    if (run.sink == nullptr) continue;
    std::vector<std::int64_t> tiles;
    for (; !stopped_ && given_ < size_ && run.asked > 0 && !run.left.empty(); --run.asked) {
      tiles.push_back(run.left.front());
      run.left.pop_front();
      ++run.given;
      ++given_;
    }
    if (!tiles.empty()) run.sink->give(std::move(tiles));
    if (run.told_end || !(stopped_ || run.left.empty())) continue;
    run.told_end = true;
    run.sink->no_more(stopped_);
  }
}

}  // namespace starpath
