// Pipelines declared outside: what is refused, and what follows from what they declare.
#include "pipelines/declared/declared_pipeline.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <functional>

#include "base/error.hpp"
#include "io/results/result_schema.hpp"
#include "pipelines/declared/declared_job.hpp"
#include "pipelines/declared/module_text.hpp"
#include "pipelines/declared/run_declared.hpp"
#include "tests/pipelines/made_up_pipeline.hpp"

namespace starpath {
namespace {

using declare::kPixels;
using declare::Operation;
using test::brightest;
using test::codelet;
using test::good;
using test::twice;

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

TEST(DeclaredPipeline, StreamsNeedPixels) {
  EXPECT_NO_THROW(DeclaredPipeline(good()).check_streams());
  declare::Pipeline blind = good();
  blind.stages = {{"place", {{codelet("place", twice, 0, 1), {"row"}}}}};
  const DeclaredPipeline pipeline(blind);
  try {
    pipeline.check_streams();
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("no operation reads 'pixels'"), std::string::npos) << error.what();
  }
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

TEST(DeclaredPipelineDeathTest, AModuleThatThrowsWhileItIsLoadedIsRefusedInOneLine) {
  const auto load = [] {  // in a process of its own: the loader keeps its lock
    try {
      load_pipeline(STARPATH_THROWING_INITIALISER);
    } catch (const Error& error) {
      std::fprintf(stderr, "%s\n", error.what());
      std::exit(static_cast<int>(error.kind()));
    }
  };
  EXPECT_EXIT(load(), testing::ExitedWithCode(3), "throwing_initialiser.so: fails while it is loaded: no licence\n$");
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

TEST(DeclaredPipeline, ALibraryThatDeclaresNoneIsNotLoaded) {
  const auto refusal = [](const std::filesystem::path& file) -> std::string {
    try {
      load_pipeline(file);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  EXPECT_EQ(refusal(STARPATH_NO_PIPELINE), std::string(STARPATH_NO_PIPELINE) +
                                               ": declares no pipeline: its source needs STARPATH_PIPELINE "
                                               "(starpath/workflow.hpp)");
  EXPECT_EQ(refusal("mine.so"), "mine.so: a module is named with its folder: say ./mine.so for the one in this folder");
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

TEST(DeclaredPipeline, ItsRunsDifferByTheBoundsOfTheSlide) {
  io::SlideInfo on_canvas = io::open_slide("synthetic:200x130,seed=3")->info();
  const DeclaredPipeline pipeline(good());
  const auto key = [&] { return declared_run_key(on_canvas, pipeline, {.slide_mpp = 0.5}); };
  const std::string before = key().parameters;
  on_canvas.place = {300, 500, 1000, 1000};
  EXPECT_EQ(io::differences(before, key().parameters), "bounds was not set and is \"200x130 px at x=300, y=500\"");
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
