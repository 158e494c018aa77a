// Pipelines declared outside: what a run does with them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

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
using test::brightest;
using test::codelet;
using test::good;
using test::place;

void unreadable(void*[], void* argument) {
  if (static_cast<const declare::Tile*>(argument)->index == 1) throw std::runtime_error("cannot be read");
}

std::atomic<int> looks{0};

void look_counted(void* buffers[], void* argument) {
  ++looks;
  brightest(buffers, argument);
}

int on_one_worker(unsigned worker, starpu_task* task, unsigned) {
  const auto& tile = *static_cast<const declare::Tile*>(task->cl_arg);
  return tile.region_width > 0 && worker == 0;
}

TEST(DeclaredRuns, TheirStagesRunAndRecordTilesThatFail) {
  const auto slide = io::open_slide("synthetic:200x130,seed=3");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const DeclaredPipeline pipeline(good());
  const DeclaredOptions options;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("starpath_declared_" + std::to_string(getpid()) + ".sqlite");
  std::filesystem::remove(file);
  io::RunInfo info = run_info(slide->info(), grid, {}, options.roi);
  io::RowStore store(
      io::ResultStore::create(file, declared_run_key(slide->info(), pipeline, options), info, io::kRowTables), 2);
  const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
  const std::atomic<bool> stop{false};
  TileList tiles(declared_tiles_left(grid, store, pipeline, options), pipeline.workflow());
  const Progress progress = run_declared(grid, store, pipeline, options, tiles, {}, stop);
  EXPECT_EQ(progress.tiles_done, 12);
  EXPECT_EQ(progress.tiles_failed, 1);
  const std::vector<io::RowRecord> rows = store.rows();
  ASSERT_EQ(rows.size(), 12u);
  for (const io::RowRecord& row : rows) {
    if (row.tile == 1) {
      EXPECT_TRUE(row.failed);
      EXPECT_EQ(row.error, "place: no tile like this");
      continue;
    }
    const auto x = std::max<std::int64_t>(row.x - 8, 0), y = std::max<std::int64_t>(row.y - 8, 0);
    const auto right = std::min<std::int64_t>(row.x + row.width + 8, 200),
               bottom = std::min<std::int64_t>(row.y + row.height + 8, 130);
    std::vector<Rgb> pixels(static_cast<std::size_t>((right - x) * (bottom - y)));
    const auto width = static_cast<int>(right - x);
    grid.read(x, y, {pixels.data(), width, static_cast<int>(bottom - y), width});
    std::uint8_t most = 0;
    for (const Rgb& pixel : pixels) most = std::max({most, pixel.r, pixel.g, pixel.b});
    EXPECT_EQ(row.numbers, (std::vector<double>{3.0 * most, static_cast<double>(row.x)})) << "tile " << row.tile;
  }
  EXPECT_EQ(declared_tiles_left(grid, store, pipeline, options), std::vector<std::int64_t>{1});
  std::filesystem::remove(file);
}

void add(void* buffers[], void* argument) {
  auto* const numbers = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  numbers[0] = *reinterpret_cast<const double*>(STARPU_VECTOR_GET_PTR(buffers[0])) +
               *reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[1]));
  numbers[1] = static_cast<double>(static_cast<const declare::Tile*>(argument)->region_width);
}

/// A slide of 12 tiles, and results of a declared pipeline over it.
class DeclaredRun : public testing::Test {
 protected:
  ~DeclaredRun() override { std::filesystem::remove(file_); }

  Progress run(const DeclaredPipeline& pipeline, TileSource& tiles) { return run(pipeline, tile_runs(tiles, nobody_)); }
  Progress run(const DeclaredPipeline& pipeline, const MakeTileLoop& loop) {
    std::filesystem::remove(file_);
    const io::RunInfo info = run_info(slide_->info(), grid_, {}, {});
    const io::RunKey key = declared_run_key(slide_->info(), pipeline, {});
    store_.emplace(io::ResultStore::create(file_, key, info, io::kRowTables),
                   pipeline.declared().result.columns.size());
    const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
    return run_declared(grid_, *store_, pipeline, {}, loop, stop_);
  }
  static std::vector<std::int64_t> all() {
    std::vector<std::int64_t> tiles(12);
    std::iota(tiles.begin(), tiles.end(), 0);
    return tiles;
  }

  const std::filesystem::path file_ =
      std::filesystem::temp_directory_path() / ("starpath_declared_run_" + std::to_string(getpid()) + ".sqlite");
  const std::unique_ptr<io::Slide> slide_ = io::open_slide("synthetic:200x130,seed=3");
  const io::WorkingSlide grid_{*slide_, io::kDesignMpp, 0};
  std::optional<io::RowStore> store_;
  const std::atomic<bool> stop_{false};
  const ProgressCallback nobody_;
};

TEST_F(DeclaredRun, TilesThatWereReadElsewhereAreTheSame) {
  declare::Pipeline declared = good();
  declared.stages[3].operations[0].codelet = codelet("place", add, 2, 1);  // one that works on all tiles
  const DeclaredPipeline pipeline(declared);
  TileList tiles(all(), pipeline.workflow());
  EXPECT_EQ(run(pipeline, tiles).tiles_done, 12);
  const std::vector<io::RowRecord> here = store_->rows();
  store_.reset();
  int rounds = 0;
  EXPECT_EQ(run(pipeline, test::apart(all(), rounds)).tiles_done, 12);
  EXPECT_EQ(rounds, 12);
  const std::vector<io::RowRecord> apart = store_->rows();
  ASSERT_EQ(apart.size(), here.size());
  for (std::size_t i = 0; i < here.size(); ++i) EXPECT_EQ(apart[i].numbers, here[i].numbers) << "row " << i;
}

TEST_F(DeclaredRun, ATileThatTwoStagesCannotReadIsGivenUpOnce) {
  declare::Pipeline declared = good();
  declared.stages[0].operations[0].codelet = codelet("look", unreadable, 1, 1);
  declared.stages[2].operations[0].codelet = codelet("also", unreadable, 1, 1);
  const DeclaredPipeline pipeline(declared);
  TileList tiles(all(), pipeline.workflow());
  const Progress progress = run(pipeline, tiles);
  EXPECT_EQ(progress.tiles_failed, 1);
  EXPECT_EQ(progress.tiles_done, 12);
}

TEST_F(DeclaredRun, AnOperationWithoutANameRunsWhereItsModuleSays) {
  declare::Pipeline declared = good();
  declared.stages[0].operations[0].codelet = codelet(nullptr, brightest, 1, 1);
  declared.stages[0].operations[0].codelet->can_execute = on_one_worker;
  declared.stages[3].operations[0].codelet = codelet(nullptr, place, 2, 1);
  const DeclaredPipeline pipeline(declared);
  EXPECT_STREQ(pipeline.operations()[0].codelet.name, "look_0");
  TileList tiles(all(), pipeline.workflow());
  EXPECT_EQ(run(pipeline, tiles).tiles_done, 12);
}

int nowhere(unsigned, starpu_task*, unsigned) { throw std::runtime_error("asked too often"); }

TEST_F(DeclaredRun, AWorkerThatCannotBeChosenIsAFailureOfTheTile) {
  declare::Pipeline declared = good();
  declared.stages[0].operations[0].codelet = codelet("look", brightest, 1, 1);
  declared.stages[0].operations[0].codelet->can_execute = nowhere;
  const DeclaredPipeline pipeline(declared);
  TileList tiles(all(), pipeline.workflow());
  EXPECT_EQ(run(pipeline, tiles).tiles_failed, 12);
}

int only_the_second(unsigned, starpu_task*, unsigned implementation) { return implementation == 1; }

TEST_F(DeclaredRun, ACodeletIsRunAsItsModuleMadeIt) {
  declare::Pipeline declared = good();
  starpu_codelet* const look = codelet("look", look_counted, 1, 1);
  look->cpu_funcs[1] = brightest;
  look->cuda_funcs[0] = brightest;
  look->where = STARPU_CPU;
  look->can_execute = only_the_second;
  look->color = 0x804020;
  declared.stages[0].operations[0].codelet = look;
  const DeclaredPipeline pipeline(declared);
  const starpu_codelet& made = pipeline.operations()[0].codelet;
  EXPECT_EQ(made.where, STARPU_CPU);
  EXPECT_EQ(made.color, 0x804020U);
  TileList tiles(all(), pipeline.workflow());
  looks = 0;
  EXPECT_EQ(run(pipeline, tiles).tiles_done, 12);
  EXPECT_EQ(looks, 0);
}

/// Gives the last stage of a tile, with what the stage before wrote elsewhere.
struct Moved : TileSource {
  explicit Moved(GivenInstance instance) : given(std::move(instance)) {}
  void start(TileSink& told) override { sink = &told; }
  void cannot_run(const std::vector<int>&) override {}
  void request(std::size_t) override {
    if (!std::exchange(asked, true)) sink->give({given});
  }
  void finished(const TileDone&) override { sink->no_more(); }
  void returned(const StageInstance&) override {}
  void send(const StageInstance&, int, std::optional<std::string>) override {}
  void stop() override {}
  void drained() override { sink->over(false); }
  void leave() override {}

  const GivenInstance given;
  bool asked = false;
  TileSink* sink = nullptr;
};

TEST_F(DeclaredRun, AStageWithItsDataFromElsewhereNeedsNoStageBeforeThem) {
  declare::Pipeline declared = good();
  declared.stages[0].operations[0].codelet = codelet("look", look_counted, 1, 1);
  const DeclaredPipeline pipeline(declared);
  const double light = 84;
  const std::uint8_t again = 16;
  Moved moved({{0, 3},
               false,
               {{1, std::string(reinterpret_cast<const char*>(&light), sizeof light)},
                {2, std::string(1, static_cast<char>(again))}}});
  looks = 0;
  EXPECT_EQ(run(pipeline, moved).tiles_done, 1);
  EXPECT_EQ(store_->rows().at(0).numbers, (std::vector<double>{100, 0}));
  EXPECT_EQ(looks, 0);
}

void add_up(void* buffers[], void*) {
  const auto* const most = reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[0]));
  auto* const row = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[1]));
  row[0] = most[0];
  row[1] = most[1];
}

TEST_F(DeclaredRun, PartsFromElsewhereAreJoined) {
  declare::Pipeline declared = good();
  declared.stages = {{"look", {{codelet("look", look_counted, 1, 1), {kPixels, "most"}}}, {.rows = 2}},
                     {"add", {{codelet("add", add_up, 1, 1), {"most", "row"}}}}};
  const DeclaredPipeline pipeline(declared);
  Moved moved({{0, 2}, false, {{0, "\x07"}, {1, "\x09"}}});
  looks = 0;
  EXPECT_EQ(run(pipeline, moved).tiles_done, 1);
  EXPECT_EQ(store_->rows().at(0).numbers, (std::vector<double>{7, 9}));
  EXPECT_EQ(looks, 0);
}

}  // namespace
}  // namespace starpath
