// The writer: everything pushed is committed and told, in order; a failure is told once.
#include "pipelines/segmentation/tile_writer.hpp"

#include <gtest/gtest.h>

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/error.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath {
namespace {

class Writer : public io::testing::Results {
 protected:
  io::ResultStore store_ = io::ResultStore::create(file, io::testing::key(), io::testing::info());
  EventQueue events_;
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
  TileWriter writer(store_, events_);
  const std::vector<io::TileResult> pushed = tiles();
  for (const io::TileResult& tile : pushed) writer.push(tile);
  for (const io::TileResult& tile : pushed) {
    const Event event = events_.pop();
    const auto* written = std::get_if<TileWritten>(&event);
    ASSERT_NE(written, nullptr);
    EXPECT_EQ(written->tile.index, tile.tile.index);
    EXPECT_EQ(written->nuclei, owned(tile.nuclei));
  }
  EXPECT_EQ(store_.tiles().size(), pushed.size());
}

TEST_F(Writer, CommitsWhatWaitsBeforeItEnds) {
  const std::vector<io::TileResult> pushed = tiles();
  {
    TileWriter writer(store_, events_);
    for (const io::TileResult& tile : pushed) writer.push(tile);
  }
  EXPECT_EQ(store_.tiles().size(), pushed.size());
}

TEST_F(Writer, TellsOfAFailureAndStops) {
  std::vector<io::TileResult> pushed = tiles();
  TileWriter writer(store_, events_);
  writer.push(pushed[0]);
  ASSERT_TRUE(std::holds_alternative<TileWritten>(events_.pop()));
  pushed[1].nuclei.front().features.pop_back();
  writer.push(pushed[1]);
  const Event event = events_.pop();
  const auto* failed = std::get_if<WritingFailed>(&event);
  ASSERT_NE(failed, nullptr);
  try {
    std::rethrow_exception(failed->reason);
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("2 features"), std::string::npos) << error.what();
  }
  writer.push(pushed[2]);  // must neither block nor be written
  ASSERT_EQ(store_.tiles().size(), 1u);
  EXPECT_EQ(store_.tiles()[0].index, pushed[0].tile.index);
}

}  // namespace
}  // namespace starpath
