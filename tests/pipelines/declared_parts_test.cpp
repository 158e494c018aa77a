// Stages that divide tiles into parts, and stages that join these.
#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <vector>

#include "base/error.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/declared/run_declared.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/run/tile_run.hpp"
#include "tests/pipelines/apart_loop.hpp"
#include "tests/pipelines/made_up_pipeline.hpp"

namespace starpath {
namespace {

using declare::kPixels;
using test::codelet;

constexpr int kColumns = 3, kRows = 2;

TEST(Portions, CoverATileOnceWhateverItsSize) {
  for (const std::int64_t width : {1, 2, 3, 7, 64})
    for (const std::int64_t halo : {0, 5}) {
      const Rect core{40, 20, width, 9}, region{40 - halo, 20 - halo, width + 2 * halo, 9 + 2 * halo};
      const Tile tile{3, core, region};
      std::vector<int> seen_in_core(static_cast<std::size_t>(core.width * core.height)),
          seen_in_region(static_cast<std::size_t>(region.width * region.height));
      const auto count = [](std::vector<int>& seen, const Rect& all, const Rect& part) {
        for (std::int64_t y = part.y; y < part.bottom(); ++y)
          for (std::int64_t x = part.x; x < part.right(); ++x)
            ++seen.at(static_cast<std::size_t>((y - all.y) * all.width + x - all.x));
      };
      for (int number = 0; number < kColumns * kRows; ++number) {
        const PortionPlace place = place_in(tile, {kColumns, kRows, number}, halo);
        EXPECT_FALSE(place.region.empty());
        EXPECT_EQ(intersection(place.region, region), place.region);
        if (!place.share.empty()) {
          EXPECT_EQ(intersection(place.share, place.region), place.share);
        }
        count(seen_in_core, core, place.core);
        count(seen_in_region, region, place.share);
      }
      for (const int times : seen_in_core) EXPECT_EQ(times, 1) << "width " << width << ", halo " << halo;
      for (const int times : seen_in_region) EXPECT_EQ(times, 1) << "width " << width << ", halo " << halo;
    }
}

std::uint8_t red_of(void* matrix, std::int64_t x, std::int64_t y) {
  return reinterpret_cast<const std::uint8_t*>(STARPU_MATRIX_GET_PTR(
      matrix))[3 * (static_cast<std::size_t>(y) * STARPU_MATRIX_GET_LD(matrix) + static_cast<std::size_t>(x))];
}

std::uint8_t& at(void* matrix, std::int64_t x, std::int64_t y) {
  return reinterpret_cast<std::uint8_t*>(STARPU_MATRIX_GET_PTR(
      matrix))[static_cast<std::size_t>(y) * STARPU_MATRIX_GET_LD(matrix) + static_cast<std::size_t>(x)];
}

/// pixels, red (a matrix), count (pixels of the part itself, and its number)
void look_at_part(void* buffers[], void* argument) {
  const auto& part = *static_cast<const declare::Tile*>(argument);
  for (std::int64_t y = 0; y < part.region_height; ++y)
    for (std::int64_t x = 0; x < part.region_width; ++x) at(buffers[1], x, y) = red_of(buffers[0], x, y);
  auto* const count = reinterpret_cast<std::int64_t*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  count[0] = part.width * part.height;
  count[1] = part.part;
}

void fail_in_second_part(void* buffers[], void* argument) {
  const auto& part = *static_cast<const declare::Tile*>(argument);
  if (part.index == 1 && part.part == 2) throw std::runtime_error("no light");
  look_at_part(buffers, argument);
}

/// pixels, red, count, row: pixels that differ from the joined ones, pixels of all parts, whether parts are in order
void compare(void* buffers[], void* argument) {
  const auto& tile = *static_cast<const declare::Tile*>(argument);
  double differ = 0, pixels = 0, in_order = 1;
  for (std::int64_t y = 0; y < tile.region_height; ++y)
    for (std::int64_t x = 0; x < tile.region_width; ++x) differ += at(buffers[1], x, y) != red_of(buffers[0], x, y);
  const auto* const count = reinterpret_cast<const std::int64_t*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  for (int number = 0; number < kColumns * kRows; ++number) {
    pixels += static_cast<double>(count[2 * number]);
    if (count[2 * number + 1] != number + 1) in_order = 0;
  }
  auto* const row = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[3]));
  row[0] = differ;
  row[1] = pixels;
  row[2] = in_order;
}

/// Six parts, and a stage that joins them.
declare::Pipeline in_parts(starpu_cpu_func_t look = look_at_part) {
  return {"in parts",
          "1",
          {64, 8, 0.5},
          {{"red", 1}, {"count", sizeof(std::int64_t), 2}, {"row", sizeof(double), 3}},
          {{"look", {{codelet("look", look, 1, 2), {kPixels, "red", "count"}}}, {kColumns, kRows}},
           {"compare", {{codelet("compare", compare, 3, 1), {kPixels, "red", "count", "row"}}}}},
          {"row", {"differ", "pixels", "in_order"}}};
}

class DeclaredParts : public testing::Test {
 protected:
  ~DeclaredParts() override { std::filesystem::remove(file_); }

  Progress run(const DeclaredPipeline& pipeline, const ProgressCallback& on_progress = {}, bool apart = false) {
    const io::RunInfo info = run_info(slide_->info(), grid_, {}, {});
    const io::RunKey key = declared_run_key(slide_->info(), pipeline, {});
    store_.emplace(io::ResultStore::create(file_, key, info, io::kRowTables), 3);
    const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
    const std::vector<std::int64_t> left = declared_tiles_left(grid_, *store_, pipeline, {});
    TileList tiles(left, pipeline.workflow());
    int rounds = 0;
    const MakeTileLoop loop = apart ? test::apart(left, rounds) : tile_runs(tiles, on_progress);
    return run_declared(grid_, *store_, pipeline, {}, loop, stop_);
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("starpath_declared_parts_" + std::to_string(getpid()) + ".sqlite");
  // The last column of tiles is 8 pixels wide, the last row has one pixel: fewer than parts.
  const std::unique_ptr<io::Slide> slide_ = io::open_slide("synthetic:200x129,seed=3");
  const io::WorkingSlide grid_{*slide_, io::kDesignMpp, 0};
  std::optional<io::RowStore> store_;
  const std::atomic<bool> stop_{false};
};

TEST_F(DeclaredParts, AreJoinedPixelForPixelAndInOrder) {
  const DeclaredPipeline pipeline(in_parts());
  EXPECT_EQ(pipeline.workflow().size(), 7u);
  EXPECT_EQ(pipeline.workflow().name(1), "look.2");
  EXPECT_EQ(pipeline.workflow().before(6), (std::vector<int>{0, 1, 2, 3, 4, 5}));
  for (const bool apart : {false, true}) {  // as with streams: parts are cut out of the pixels of the tile
    SCOPED_TRACE(apart ? "apart" : "here");
    EXPECT_EQ(run(pipeline, {}, apart).tiles_failed, 0);
    const std::vector<io::RowRecord> rows = store_->rows();
    ASSERT_EQ(rows.size(), 12u);
    for (const io::RowRecord& row : rows)
      EXPECT_EQ(row.numbers, (std::vector<double>{0, static_cast<double>(row.width * row.height), 1})) << row.tile;
    store_.reset();
    std::filesystem::remove(file_);
  }
}

TEST_F(DeclaredParts, OnePartThatFailsIsNamedWithTheStageThatWaitsForIt) {
  std::vector<std::string> failures;
  const Progress ended =
      run(DeclaredPipeline(in_parts(fail_in_second_part)), [&](const Progress&, const std::string& failure) {
        if (!failure.empty()) failures.push_back(failure);
      });
  EXPECT_EQ(ended.tiles_failed, 1);
  EXPECT_EQ(ended.tiles_done, 12);
  ASSERT_EQ(failures.size(), 1u);
  EXPECT_NE(failures[0].find("look: no light; so part 'look.2' never comes, which 'compare' joins (3 attempts)"),
            std::string::npos)
      << failures[0];
}

std::string refusal(const std::function<void(declare::Pipeline&)>& change) {
  declare::Pipeline pipeline = in_parts();
  change(pipeline);
  try {
    const DeclaredPipeline checked(pipeline);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
}

TEST(DeclaredPartsThat, MakeNoSenseAreRefused) {
  EXPECT_EQ(refusal([](declare::Pipeline&) {}), "");
  EXPECT_EQ(refusal([](declare::Pipeline& none) { none.stages[0].parts.rows = 0; }),
            "pipeline 'in parts': stage 'look' has 3 x 0 parts: give it at least one, and 64 at most");
  EXPECT_NE(refusal([](declare::Pipeline& many) { many.stages[0].parts = {1 << 20, 1 << 20}; }), "");
  EXPECT_EQ(refusal([](declare::Pipeline& last) { last.stages[1].parts.columns = 3; }),
            "pipeline 'in parts': stage 'compare.1' has parts and takes 'red', which is not written in the same parts: "
            "let a stage without parts take it");
  EXPECT_EQ(refusal([](declare::Pipeline& missing) { missing.stages.erase(missing.stages.begin()); }),
            "workflow: stage 'compare' reads 'red', which no stage writes: correct the name, or add the stage");
}

}  // namespace
}  // namespace starpath
