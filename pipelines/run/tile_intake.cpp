// Asking for stage instances as there is room.
#include "pipelines/run/tile_intake.hpp"

#include <algorithm>
#include <utility>

namespace starpath {

TileIntake::TileIntake(TileSource& source, std::size_t window, std::function<void(SourceEvent)> tell)
    : source_(source), window_(window), tell_(std::move(tell)) {
  source_.start(*this);
}

GivenInstance TileIntake::next() {
  GivenInstance instance = std::move(waiting_.front());
  waiting_.pop_front();
  return instance;
}

void TileIntake::ask(std::size_t in_flight) {
  const std::size_t held = in_flight + waiting_.size() + asked_;
  if (no_more_ || held >= window_) return;
  asked_ += window_ - held;
  source_.request(window_ - held);
}

void TileIntake::stop() {
  if (std::exchange(dropping_, true)) return;
  source_.stop();
  return_beginnings();
}

void TileIntake::return_beginnings() {
  std::deque<GivenInstance> rest;
  for (GivenInstance& given : waiting_) {
    if (given.begins)
      source_.returned(given.instance);
    else
      rest.push_back(std::move(given));
  }
  waiting_ = std::move(rest);
}

void TileIntake::idle() {
  if (!no_more_ || drained_ || !waiting_.empty()) return;
  drained_ = true;
  source_.drained();
}

void TileIntake::handle(const SourceEvent& event) {
  if (const auto* given = std::get_if<InstancesGiven>(&event)) {
    asked_ -= std::min(asked_, given->instances.size());
    waiting_.insert(waiting_.end(), given->instances.begin(), given->instances.end());
    if (dropping_) return_beginnings();
  } else if (std::holds_alternative<BeginNoTile>(event)) {
    dropping_ = true;
    return_beginnings();
  } else if (std::holds_alternative<NoMoreInstances>(event)) {
    no_more_ = true;
  } else if (const auto* end = std::get_if<WorkOver>(&event)) {
    over_ = *end;
  }
}

}  // namespace starpath
