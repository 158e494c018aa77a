// The thread that commits finished tiles, so that workers never wait for the disk.
#pragma once
#include <algorithm>
#include <cstdint>
#include <functional>
#include <utility>
#include <vector>

#include "base/batch_writer.hpp"
#include "io/results/tile_store.hpp"

namespace starpath {

/// Commits the tiles that wait in one transaction. From a push() to its answer the results are the writer's
/// alone.
class TileWriter {
 public:
  /// A tile has been committed, with so many nuclei that it owns.
  using OnWritten = std::function<void(const io::TileRecord& tile, std::int64_t nuclei)>;
  /// A commit has failed with this exception, and nothing is committed any more.
  using OnFailure = BatchWriter<io::TileResult>::OnFailure;

  /// Both are called on the writer's thread. Destroyed, it commits what waits.
  TileWriter(const io::TileStore& store, OnWritten on_written, OnFailure on_failure)
      : writer_(
            [tiles_of_run = store, told = std::move(on_written)](const std::vector<io::TileResult>& tiles) mutable {
              tiles_of_run.commit(tiles);
              for (const io::TileResult& each : tiles)
                told(each.tile, std::ranges::count(each.nuclei, io::NucleusRole::owned, &io::NucleusRecord::role));
            },
            std::move(on_failure)) {}

  void push(io::TileResult tile) { writer_.push(std::move(tile)); }

 private:
  BatchWriter<io::TileResult> writer_;
};

}  // namespace starpath
