// When to hold a processor back, and whose lane is how wide.
#include "loops/wavefront_dispatcher.hpp"

#include <algorithm>
#include <cmath>

namespace starpath::loops {

LaneOutlook WavefrontDispatcher::outlook(const LargeBlocks& large, const Lane& lane) const {
  const WavefrontSetup& setup = wavefront_.setup();
  const auto left = static_cast<double>(wavefront_.left()), rows_left = static_cast<double>(setup.rows - lane.row);
  return {large, left, rows_left, std::max(0.0, left - rows_left * static_cast<double>(setup.columns))};
}

// A new lane, or a narrower one: strides that are given up are ready for others, those to the right of a lane lag
// behind it. False when no lane is worth it.
bool WavefrontDispatcher::plan_lane(unsigned processor, const LargeBlocks& large) {
  const WavefrontSetup& setup = wavefront_.setup();
  const Lane old = wavefront_.lane(processor);
  const bool fresh = !old || old.row == setup.rows;
  Lane lane = old;
  if (fresh) {
    lane.first = wavefront_.first_free();
    lane.last = wavefront_.strides();
    if (!lane) return false;
    lane.row = wavefront_.taken(lane.first);
  }
  const LaneOutlook ahead = outlook(large, lane);
  if (fresh && !worth_a_lane(ahead, static_cast<double>(setup.stride) * static_cast<double>(setup.rows))) return false;
  const double strides = std::ceil(lane_columns(ahead) / static_cast<double>(setup.stride));
  lane.last = lane.first + static_cast<std::size_t>(std::clamp(strides, 1.0, static_cast<double>(lane.strides())));
  if (fresh || lane != old) wavefront_.set_lane(processor, lane.first, lane.last);
  return true;
}

// The next tile of the processor's lane, or none. The lane may begin or end with that.
Tile WavefrontDispatcher::fetch_from_lane(unsigned processor, const LargeBlocks& large) {
  if (large.block == 0 || !plan_lane(processor, large)) {
    wavefront_.drop_lane(processor);
    return {};
  }
  const Lane lane = wavefront_.lane(processor);
  const std::size_t ready = wavefront_.lane_ready(processor);
  if (ready == 0) return {};
  const double columns = static_cast<double>(lane.strides() * wavefront_.setup().stride);
  const auto rows = static_cast<std::size_t>(lane_tile(outlook(large, lane)) / columns);
  return wavefront_.take_lane(processor, std::clamp<std::size_t>(rows, 1, ready));
}

WavefrontDispatcher::Answer WavefrontDispatcher::fetch(unsigned processor, Tile& tile) {
  const std::lock_guard lock(mutex_);
  if (closed_ || wavefront_.done()) return Answer::end;
  const LargeBlocks large = lanes_ ? schedule_->large_blocks(processor) : LargeBlocks{};
  tile = fetch_from_lane(processor, large);
  if (!tile) {
    if (running_ == 0 && wavefront_.ready() == 0) wavefront_.drop_lanes();  // their owners may never come
    const std::size_t ready = wavefront_.ready();
    // On a short tile an accelerator would keep others waiting. Any processor that runs now asks again when it ends.
    if (ready == 0 || (running_ > 0 && large.block > 0 && !worth_a_tile(large, wavefront_.largest())))
      return Answer::hold;
    tile = wavefront_.take(schedule_->size(processor, wavefront_.left(), ready));
  }
  ++running_;
  schedule_->taken(processor, tile.iterations());
  return Answer::tile;
}

void WavefrontDispatcher::finished(unsigned processor, const Tile& tile, double microseconds) {
  const std::lock_guard lock(mutex_);
  wavefront_.finish(tile);
  --running_;
  schedule_->finished(processor, tile.iterations(), microseconds);
}

void WavefrontDispatcher::give_back(const Tile& tile) {
  const std::lock_guard lock(mutex_);
  schedule_->returned(tile.iterations());
  wavefront_.give_back(tile);
  --running_;
}

void WavefrontDispatcher::retire(unsigned processor) {
  const std::lock_guard lock(mutex_);
  schedule_->retired(processor);
  wavefront_.drop_lane(processor);
}

void WavefrontDispatcher::close() {
  const std::lock_guard lock(mutex_);
  closed_ = true;
}

std::size_t WavefrontDispatcher::left() const {
  const std::lock_guard lock(mutex_);
  return wavefront_.left();
}

}  // namespace starpath::loops
