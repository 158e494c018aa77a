// Pipelines declared outside: what is refused, and what a run does with them.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <list>
#include <memory>
#include <numeric>
#include <optional>
#include <utility>

#include "base/error.hpp"
#include "io/results/result_schema.hpp"
#include "pipelines/declared/declared_job.hpp"
#include "pipelines/declared/declared_pipeline.hpp"
#include "pipelines/declared/module_text.hpp"
#include "pipelines/declared/run_declared.hpp"
#include "pipelines/run/run_info.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/tile_list.hpp"

namespace starpath {
namespace {

using declare::kPixels;
using declare::Operation;

void brightest(void* buffers[], void*) {
  std::uint8_t most = 0;
  for (std::uint32_t y = 0; y < STARPU_MATRIX_GET_NY(buffers[0]); ++y) {
    const auto* row = reinterpret_cast<const std::uint8_t*>(STARPU_MATRIX_GET_PTR(buffers[0])) +
                      3 * y * STARPU_MATRIX_GET_LD(buffers[0]);
    most = std::max(most, *std::max_element(row, row + 3 * STARPU_MATRIX_GET_NX(buffers[0])));
  }
  *reinterpret_cast<std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[1])) = most;
}

void twice(void* buffers[], void*) {
  *reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[1])) =
      2.0 * *reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[0]));
}

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

void place(void* buffers[], void* argument) {
  const auto& tile = *static_cast<const declare::Tile*>(argument);
  if (tile.index == 1) throw std::runtime_error("no tile\nlike this");
  double* const numbers = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  numbers[0] = *reinterpret_cast<const double*>(STARPU_VECTOR_GET_PTR(buffers[0])) +
               *reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[1]));
  numbers[1] = static_cast<double>(tile.x);
}

starpu_codelet* codelet(const char* name, starpu_cpu_func_t function, int reads, int writes) {
  static std::list<starpu_codelet> all;  // StarPU keeps them
  starpu_codelet* const made = &all.emplace_back();
  made->name = name;
  made->cpu_funcs[0] = function;
  made->nbuffers = reads + writes;
  for (int i = 0; i < made->nbuffers; ++i) made->modes[i] = i < reads ? STARPU_R : STARPU_W;
  return made;
}

/// Two stages that need nothing of each other between the first and the last.
declare::Pipeline good() {
  static starpu_codelet *const look = codelet("look", brightest, 1, 1), *const doubled = codelet("twice", twice, 1, 1),
                               *const also = codelet("also", brightest, 1, 1),
                               *const last = codelet("place", place, 2, 1);
  return {"good",
          "1",
          {64, 8, 0.5},
          {{"most", 1, 1}, {"double", sizeof(double), 1}, {"again", 1, 1}, {"row", sizeof(double), 2}},
          {{"look", {{look, {kPixels, "most"}}}},
           {"twice", {{doubled, {"most", "double"}}}},
           {"also", {{also, {kPixels, "again"}}}},
           {"place", {{last, {"double", "again", "row"}}}}},
          {"row", {"light", "from"}}};
}

std::string refusal(const declare::Pipeline& pipeline) {
  try {
    const DeclaredPipeline checked(pipeline);
    return "";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    return error.what();
  }
}

TEST(DeclaredPipeline, TakesDependenciesFromData) {
  const DeclaredPipeline pipeline(good());
  EXPECT_EQ(pipeline.workflow().before(3), (std::vector<int>{1, 2}));
  EXPECT_EQ(pipeline.up_to(1), (std::vector<int>{0, 1}));
  EXPECT_EQ(pipeline.last_stage(), 3);
}

TEST(DeclaredPipeline, AModuleThatThrowsIsRefusedInOneLine) {
  try {
    load_pipeline(STARPATH_THROWING_PIPELINE);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.what(),
              std::string(STARPATH_THROWING_PIPELINE) + ": fails while it declares its pipeline: no licence: buy one");
  }
}

TEST(DeclaredPipeline, RefusesColumnsThatAreNoColumns) {
  declare::Pipeline twice = good();
  twice.result.columns = {"light", "light"};
  EXPECT_EQ(
      refusal(twice),
      "pipeline 'good': two columns of results.csv would be called 'light': give each a name of its own (tile, x, "
      "y, width, height are taken)");
  twice.result.columns = {"light", "width"};
  EXPECT_NE(refusal(twice).find("'width'"), std::string::npos);
  twice.result.columns = {"light", ""};
  EXPECT_EQ(refusal(twice), "pipeline 'good': a column of its result has no name: give it one");
}

TEST(DeclaredPipeline, RefusesNamesThatAreNoText) {
  declare::Pipeline column = good();
  column.result.columns = {"light", "c\xff"};
  EXPECT_EQ(refusal(column), "pipeline 'good': the name 'c?' is not UTF-8 or holds control characters: give another");
  declare::Pipeline version = good();
  version.version = "1\n";
  EXPECT_NE(refusal(version).find("'1 '"), std::string::npos);
  declare::Pipeline data = good();
  data.data.push_back({"caf\xe9", 1, 1});
  EXPECT_NE(refusal(data).find("'caf?'"), std::string::npos);
}

TEST(ModuleText, IsOneLineThatNoTerminalObeys) {
  EXPECT_EQ(module_text("no\nway\x1b[31m"), "no way [31m");
  EXPECT_EQ(module_text("10 \xc2\xb5m\xc2\x9b"
                        "31m"),
            "10 \xc2\xb5m 31m");
  EXPECT_EQ(module_text("10 \xb5m"), "10 ?m");
}

TEST(DeclaredPipeline, MoreMemoryThanIntegersHoldIsStillMuch) {
  declare::Pipeline huge = good();
  huge.data.push_back({"huge", std::size_t{1} << 63});
  huge.stages[0].operations.push_back({codelet("fill", brightest, 1, 1), {kPixels, "huge"}});
  const MemoryNeed need = memory_need_of(DeclaredPipeline(huge), 4);
  EXPECT_GT(need.largest, std::int64_t{1} << 62);
  EXPECT_GE(need.at_once, need.largest);
}

TEST(DeclaredPipeline, RefusesWhatMakesNoSense) {
  EXPECT_EQ(refusal(good()), "");
  declare::Pipeline two_writers = good();
  two_writers.stages[2].operations[0].data[1] = "most";
  EXPECT_EQ(refusal(two_writers),
            "workflow: stages 'look' and 'also' both write 'most': let one of them write data of another name");
  declare::Pipeline cycle = good();
  cycle.stages[0].operations[0].data[0] = "double";
  EXPECT_EQ(refusal(cycle),
            "workflow: stages wait for each other: 'look' after 'twice' after 'look'; take one "
            "dependency out");
  declare::Pipeline unknown = good();
  unknown.stages[1].operations[0].data[0] = "mots";
  EXPECT_EQ(refusal(unknown),
            "pipeline 'good': an operation of stage 'twice' names 'mots', which is not among its "
            "data: correct the name, or add it");
  declare::Pipeline two_ends = good();
  two_ends.stages.push_back({"more", {{codelet("more", twice, 1, 1), {"again", "extra"}}}});
  two_ends.data.push_back({"extra", 8, 1});
  EXPECT_EQ(refusal(two_ends),
            "pipeline 'good': stages 'place' and 'more' are both the last: a tile's row is written "
            "in one");
  declare::Pipeline buffers = good();
  buffers.stages[0].operations[0].data.pop_back();
  EXPECT_EQ(refusal(buffers), "pipeline 'good': an operation of stage 'look' has a codelet of 2 buffers and 1 data");
  declare::Pipeline columns = good();
  columns.result.columns.pop_back();
  EXPECT_NE(refusal(columns).find("must be a list of doubles, one a column"), std::string::npos);
  declare::Pipeline same_twice = good();
  same_twice.stages[0].operations[0] = {codelet("look", brightest, 0, 2), {"most", "most"}};
  same_twice.stages[0].operations[0].codelet->modes[1] = STARPU_R;
  EXPECT_EQ(refusal(same_twice),
            "pipeline 'good': operation 'look' takes 'most' twice and writes it: take it once, or write other data");
  declare::Pipeline empty = good();
  empty.stages[1].operations.clear();
  EXPECT_NE(refusal(empty), "");
}

TEST(DeclaredPipeline, RefusesFunctionsThatItDoesNotRun) {
  const auto refusal_of = [](const std::function<void(starpu_codelet&)>& change) {
    declare::Pipeline pipeline = good();
    pipeline.stages[0].operations[0].codelet = codelet("look", brightest, 1, 1);
    change(*pipeline.stages[0].operations[0].codelet);
    return refusal(pipeline);
  };
  EXPECT_EQ(refusal_of([](starpu_codelet& look) { look.opencl_funcs[0] = brightest; }),
            "pipeline 'good': operation 'look' has a function for OpenCL, and only those for cores and CUDA are run: "
            "take it out");
  EXPECT_EQ(refusal_of([](starpu_codelet& look) { look.hip_funcs[1] = brightest; }),
            "pipeline 'good': operation 'look' has a function for HIP, and only those for cores and CUDA are run: "
            "take it out");
  EXPECT_EQ(
      refusal_of([](starpu_codelet& look) { look.type = STARPU_FORKJOIN; }),
      "pipeline 'good': operation 'look' is for several cores at once, and each task gets one: make it sequential");
  const std::string nowhere =
      "pipeline 'good': operation 'look' has no function for cores or CUDA that its `where` allows: add one";
  EXPECT_EQ(refusal_of([](starpu_codelet& look) { look.where = STARPU_CUDA; }), nowhere);
  EXPECT_EQ(refusal_of([](starpu_codelet& look) { look.where = STARPU_NOWHERE; }), nowhere);
  EXPECT_EQ(refusal_of([](starpu_codelet& look) { look.cpu_funcs[0] = nullptr; }), nowhere);
}

TEST(DeclaredPipeline, IsNotInAFileThatIsNoModule) {
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("starpath_no_module_" + std::to_string(getpid()));
  std::ofstream(file) << "text";
  EXPECT_THROW(load_pipeline(file), Error);
  std::filesystem::remove(file);
  EXPECT_THROW(load_pipeline(file), Error);
}

TEST(DeclaredPipeline, ItsRunsDifferByTheResolutionOfTheSlide) {
  const auto slide = io::open_slide("synthetic:200x130,seed=3");
  const DeclaredPipeline pipeline(good());
  const auto key_at = [&](double mpp) { return declared_run_key(slide->info(), pipeline, {.slide_mpp = mpp}); };
  EXPECT_EQ(io::differences(key_at(0.5).parameters, key_at(1).parameters), "slide_mpp was 0.5 and is 1.0");
}

TEST(DeclaredPipeline, RunsItsStagesAndRecordsTilesThatFail) {
  const auto slide = io::open_slide("synthetic:200x130,seed=3");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const DeclaredPipeline pipeline(good());
  const DeclaredOptions options;
  const std::filesystem::path file =
      std::filesystem::temp_directory_path() / ("starpath_declared_" + std::to_string(getpid()) + ".sqlite");
  std::filesystem::remove(file);
  io::RunInfo info = run_info(slide->info(), grid, {}, options.roi);
  io::RowStore store = io::RowStore::create(file, declared_run_key(slide->info(), pipeline, options), info, 2);
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

/// A slide of 12 tiles, and results of a declared pipeline over it.
class DeclaredRun : public testing::Test {
 protected:
  ~DeclaredRun() override { std::filesystem::remove(file_); }

  Progress run(const DeclaredPipeline& pipeline, TileSource& tiles) {
    std::filesystem::remove(file_);
    const io::RunInfo info = run_info(slide_->info(), grid_, {}, {});
    store_.emplace(io::RowStore::create(file_, declared_run_key(slide_->info(), pipeline, {}), info,
                                        pipeline.declared().result.columns.size()));
    const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
    return run_declared(grid_, *store_, pipeline, {}, tiles, {}, stop_);
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
};

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

TEST(DeclaredPipeline, ItsShapeTellsWhatRanksMustShare) {
  const std::string shape = DeclaredPipeline(good()).shape();
  EXPECT_EQ(shape, DeclaredPipeline(good()).shape());
  declare::Pipeline other_stage = good(), other_bytes = good();
  other_stage.stages[1].name = "double";
  other_bytes.data[0].elements = 2;
  for (const declare::Pipeline& other : {other_stage, other_bytes}) EXPECT_NE(DeclaredPipeline(other).shape(), shape);
  EXPECT_EQ(shape.find('\n'), std::string::npos);
}

}  // namespace
}  // namespace starpath
