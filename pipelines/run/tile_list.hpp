// The source of a run that is alone: a list of tiles.
#pragma once
#include <algorithm>
#include <deque>
#include <utility>

#include "pipelines/run/tile_source.hpp"

namespace starpath {

/// Gives the tiles of a list in its order.
class TileList : public TileSource {
 public:
  explicit TileList(const std::vector<std::int64_t>& tiles) : left_(tiles.begin(), tiles.end()) {}

  void start(TileSink& sink) override { sink_ = &sink; }
  void request(std::size_t tiles) override {
    const auto end = left_.begin() + static_cast<std::ptrdiff_t>(std::min(tiles, left_.size()));
    sink_->give({left_.begin(), end});
    left_.erase(left_.begin(), end);
    if (left_.empty()) sink_->no_more(false);
  }
  void finished(const TileDone&) override {}
  void drained(std::size_t dropped) override { sink_->over(dropped > 0 || !left_.empty()); }
  void leave() override {}

 private:
  std::deque<std::int64_t> left_;
  TileSink* sink_ = nullptr;
};

}  // namespace starpath
