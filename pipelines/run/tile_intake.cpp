// Asking for tiles as there is room.
#include "pipelines/run/tile_intake.hpp"

#include <algorithm>
#include <utility>

namespace starpath {

TileIntake::TileIntake(TileSource& source, std::size_t window, std::function<void(SourceEvent)> tell)
    : source_(source), window_(window), tell_(std::move(tell)) {
  source_.start(*this);
}

std::int64_t TileIntake::next() {
  const std::int64_t tile = waiting_.front();
  waiting_.pop_front();
  return tile;
}

void TileIntake::ask(std::size_t in_flight) {
  const std::size_t held = in_flight + waiting_.size() + asked_;
  if (no_more_ || held >= window_) return;
  asked_ += window_ - held;
  source_.request(window_ - held);
}

void TileIntake::stop() {
  no_more_ = dropping_ = true;
  dropped_ += waiting_.size();
  waiting_.clear();
}

void TileIntake::idle() {
  if (!no_more_ || drained_ || !waiting_.empty()) return;
  drained_ = true;
  source_.drained(dropped_);
}

void TileIntake::handle(const SourceEvent& event) {
  if (const auto* given = std::get_if<TilesGiven>(&event)) {
    asked_ -= std::min(asked_, given->tiles.size());
    waiting_.insert(waiting_.end(), given->tiles.begin(), given->tiles.end());
    if (dropping_) stop();
  } else if (const auto* none = std::get_if<NoMoreTiles>(&event)) {
    no_more_ = true;
    if (none->drop) stop();
  } else if (const auto* end = std::get_if<WorkOver>(&event)) {
    over_ = *end;
  }
}

}  // namespace starpath
