// Tiles of loops whose iterations depend on earlier ones, for processors that ask.
#pragma once
#include <cstddef>
#include <memory>
#include <mutex>
#include <utility>

#include "loops/lane_plan.hpp"
#include "loops/schedule.hpp"
#include "loops/wavefront.hpp"

namespace starpath::loops {

/// Whether processors may have lanes. Without, tiles are of one stride, as in hdss-2013 section 3.3; lanes are ours.
enum class Lanes { off, on };

/// Hands out a wavefront. With lanes, a processor that the schedule says gains by large blocks gets one at the left, on
/// which all other strides depend. Thread-safe under the rule of Dispatcher.
class WavefrontDispatcher {
 public:
  WavefrontDispatcher(WavefrontSetup setup, std::unique_ptr<Schedule> schedule, Lanes lanes = Lanes::off)
      : wavefront_(std::move(setup)),
        schedule_(std::move(schedule)),
        lanes_(lanes == Lanes::on && wavefront_.allows_lanes()) {}

  enum class Answer { tile, hold, end };

  /// A tile to run; or `hold` while nothing is ready for this processor but something may become so; or `end`.
  Answer fetch(unsigned processor, Tile& tile);

  /// The tile has run in that time. A processor on hold may then ask again.
  void finished(unsigned processor, const Tile& tile, double microseconds);

  /// The tile was fetched but not run.
  void give_back(const Tile& tile);
  void retire(unsigned processor);
  /// From now on everybody gets `end`.
  void close();

  std::size_t left() const;

 private:
  LaneOutlook outlook(const LargeBlocks& large, const Lane& lane) const;
  bool plan_lane(unsigned processor, const LargeBlocks& large);
  Tile fetch_from_lane(unsigned processor, const LargeBlocks& large);

  mutable std::mutex mutex_;
  Wavefront wavefront_;
  std::unique_ptr<Schedule> schedule_;
  bool lanes_;
  std::size_t running_ = 0;  // tiles
  bool closed_ = false;
};

}  // namespace starpath::loops
