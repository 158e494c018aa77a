// The writer: everything pushed is committed and told, in order; a failure is told once.
#include "pipelines/segmentation/tile_writer.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/results/tile_store.hpp"
#include "pipelines/run/blocking_queue.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath {
namespace {

/// What the writer told: of a tile, or of a failure.
struct Answer {
  std::int64_t tile = -1, nuclei = 0;
  std::exception_ptr failure;
};

class Writer : public io::testing::Results {
 protected:
  TileWriter::OnWritten on_written() {
    return [this](const io::TileRecord& tile, std::int64_t nuclei) { answers_.push({tile.index, nuclei, nullptr}); };
  }
  TileWriter::OnFailure on_failure() {
    return [this](const std::exception_ptr& reason) { answers_.push({-1, 0, reason}); };
  }

  io::ResultStore store_ = io::ResultStore::create(file, io::testing::key(), io::testing::info());
  BlockingQueue<Answer> answers_;
};

std::vector<io::TileResult> tiles() {
  std::vector<io::TileResult> results;
  for (auto& tile : io::testing::tiles(5, 4, 40, 3)) results.push_back({tile.record, tile.nuclei});
  return results;
}

std::int64_t owned(const std::vector<io::NucleusRecord>& nuclei) {
  std::int64_t count = 0;
  for (const io::NucleusRecord& nucleus : nuclei) count += nucleus.role == io::NucleusRole::owned;
  return count;
}

TEST_F(Writer, TellsOfEveryTileInOrder) {
  TileWriter writer(io::TileStore(store_), on_written(), on_failure());
  const std::vector<io::TileResult> pushed = tiles();
  for (const io::TileResult& tile : pushed) writer.push(tile);
  for (const io::TileResult& tile : pushed) {
    const Answer answer = answers_.pop();
    ASSERT_EQ(answer.failure, nullptr);
    EXPECT_EQ(answer.tile, tile.tile.index);
    EXPECT_EQ(answer.nuclei, owned(tile.nuclei));
  }
  EXPECT_EQ(io::TileStore(store_).tiles().size(), pushed.size());
}

TEST_F(Writer, CommitsWhatWaitsBeforeItEnds) {
  const std::vector<io::TileResult> pushed = tiles();
  {
    TileWriter writer(io::TileStore(store_), on_written(), on_failure());
    for (const io::TileResult& tile : pushed) writer.push(tile);
  }
  EXPECT_EQ(io::TileStore(store_).tiles().size(), pushed.size());
}

TEST_F(Writer, TellsOfAFailureAndStops) {
  std::vector<io::TileResult> pushed = tiles();
  TileWriter writer(io::TileStore(store_), on_written(), on_failure());
  writer.push(pushed[0]);
  ASSERT_EQ(answers_.pop().failure, nullptr);
  pushed[1].nuclei.front().features.pop_back();
  writer.push(pushed[1]);
  const Answer answer = answers_.pop();
  ASSERT_NE(answer.failure, nullptr);
  try {
    std::rethrow_exception(answer.failure);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 features"), std::string::npos) << error.what();
  }
  writer.push(pushed[2]);  // must neither block nor be written
  ASSERT_EQ(io::TileStore(store_).tiles().size(), 1u);
  EXPECT_EQ(io::TileStore(store_).tiles()[0].index, pushed[0].tile.index);
}

}  // namespace
}  // namespace starpath
