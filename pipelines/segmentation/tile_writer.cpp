// Committing tiles beside the pipeline.
#include "pipelines/segmentation/tile_writer.hpp"

#include <algorithm>
#include <exception>
#include <utility>

namespace starpath {

TileWriter::TileWriter(io::ResultStore& store, OnWritten on_written, OnFailure on_failure)
    : store_(store),
      on_written_(std::move(on_written)),
      on_failure_(std::move(on_failure)),
      thread_([this] { work(); }) {}

TileWriter::~TileWriter() {
  {
    const std::lock_guard lock(mutex_);
    ending_ = true;
  }
  changed_.notify_one();
  thread_.join();
}

void TileWriter::push(io::TileResult tile) {
  {
    const std::lock_guard lock(mutex_);
    waiting_.push_back(std::move(tile));
  }
  changed_.notify_one();
}

std::vector<io::TileResult> TileWriter::next_batch() {
  std::unique_lock lock(mutex_);
  changed_.wait(lock, [&] { return ending_ || !waiting_.empty(); });
  return std::exchange(waiting_, {});
}

void TileWriter::work() {
  try {
    for (auto tiles = next_batch(); !tiles.empty(); tiles = next_batch()) {
      store_.commit(tiles);
      for (const io::TileResult& each : tiles)
        on_written_(each.tile, std::ranges::count(each.nuclei, io::NucleusRole::owned, &io::NucleusRecord::role));
    }
  } catch (...) {
    on_failure_(std::current_exception());
  }
}

}  // namespace starpath
