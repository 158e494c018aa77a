// A rank as the two ends of streams on it see it.
#pragma once
#include <cstdint>
#include <memory>
#include <string>

#include "mpi/protocol/stream_messages.hpp"
#include "pipelines/run/tile_job.hpp"

namespace starpath::mpi {

/// The things that both ends of a run share. For the thread that runs the streams.
class StreamSite {
 public:
  virtual ~StreamSite() = default;

  /// A job for the tile, without tasks.
  virtual std::unique_ptr<TileJob> make_job(std::int64_t tile) = 0;
  /// To any rank, this one too.
  virtual void tell(int rank, const StreamMessage& message) = 0;
  virtual void send(int rank, const Announcement& announcement, TileBuffer buffer) = 0;
  /// Has the results of a tile written that is over, or was given up for this reason (not empty). The end that called
  /// hears of it (stored()), perhaps before this returns. False when results cannot be written: the tile is left.
  virtual bool finish(TileJob& job, const std::string& error) = 0;
  /// The tile is over, for all ranks.
  virtual void finished(const TileDone& tile) = 0;
  /// This rank cannot go on, because of the exception that is being handled: it takes leave of the others.
  virtual void give_up() = 0;
};

}  // namespace starpath::mpi
