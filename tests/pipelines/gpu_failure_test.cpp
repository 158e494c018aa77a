// A GPU that fails while a run goes on: what is said, what is kept.
#include "pipelines/run/gpu_failure.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "codelets/starpu/device_tasks.hpp"
#include "io/exports/exports.hpp"
#include "io/results/tile_store.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath {
namespace {

std::string description(const codelets::DeviceTasks& tasks, std::size_t room = 500) {
  std::string text(room, '?');
  text.resize(tasks.describe(text));
  return text;
}

TEST(DeviceTasks, NamesWhatHasNotEndedOldestFirst) {
  codelets::DeviceTasks tasks;
  EXPECT_TRUE(tasks.empty());
  EXPECT_EQ(description(tasks), "");
  tasks.begin("rbc", "tile 1");
  tasks.begin("watershed", "tile 2");
  EXPECT_EQ(description(tasks), "rbc of tile 1, then watershed of tile 2");
  tasks.end();
  EXPECT_EQ(description(tasks), "watershed of tile 2");
  EXPECT_EQ(description(tasks, 9), "watershed");
  tasks.end();
  EXPECT_TRUE(tasks.empty());
}

TEST(DeviceTasks, RemembersTheLastOnesAndCutsLongNames) {
  codelets::DeviceTasks tasks;
  for (int i = 0; i < 7; ++i) tasks.begin("rbc", std::to_string(i));
  EXPECT_EQ(description(tasks), "rbc of 3, then rbc of 4, then rbc of 5, then rbc of 6");
  for (int i = 0; i < 7; ++i) tasks.end();
  EXPECT_TRUE(tasks.empty());
  tasks.begin("rbc", std::string(1000, 'x'));
  EXPECT_EQ(description(tasks), "rbc of " + std::string(120, 'x'));
}

class GpuFailure : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  /// Segments the slide into `name`, on from what is there already.
  void segment(const std::string& name, const ProgressCallback& on_progress) const {
    const auto slide = io::open_slide("synthetic:900x300,seed=5");
    const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
    SegmentationOptions options;
    options.tiling.tile = 300;
    const io::RunKey key = run_key(slide->info(), options);
    const auto file = folder_ / (name + ".sqlite");
    io::ResultStore store = std::filesystem::exists(file)
                                ? io::ResultStore::resume(file, key)
                                : io::ResultStore::create(file, key, run_info(slide->info(), grid, options));
    {
      const StarpuSession session({.policy = "eager", .cpus = 2, .gpus = 0});
      segment_slide(grid, io::TileStore(store), options, on_progress, stop_);
    }
    accept_nuclei(store, options);
    io::export_csv(store, folder_ / (name + ".csv"));
  }

  /// A run whose GPU fails after the first tile, as StarPU ends it: an abort() in a thread that CUDA told an error.
  void segment_until_failure(const char* (*error)()) const {
    explain_gpu_failures(error);
    segment("run", [](const Progress& progress, const std::string&) {
      if (progress.tiles_done == 0) return;
      codelets::device_tasks(1).begin("watershed", "tile 2 at x=600 y=0 (300x300 px)");
      codelets::device_tasks(1).begin("features", "tile 1 at x=300 y=0 (300x300 px)");
      std::abort();
    });
  }

  std::string csv(const std::string& name) const {
    std::ifstream in(folder_ / (name + ".csv"));
    return {std::istreambuf_iterator<char>(in), {}};
  }

  const std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_gpu_failure_" + std::to_string(getpid()));
  std::atomic<bool> stop_{false};
};

TEST_F(GpuFailure, NamesErrorOperationAndTileAndResumeGoesOn) {
  EXPECT_EXIT(segment_until_failure([] { return "an illegal memory access was encountered"; }),
              testing::ExitedWithCode(static_cast<int>(ErrorKind::runtime)),
              "starpath: a GPU failed: an illegal memory access was encountered in watershed of tile 2 at x=600 y=0 "
              "\\(300x300 px\\), then features of tile 1 at .*; finished tiles are kept: continue with --resume");
  std::int64_t resumed = -1;
  segment("run", [&](const Progress& progress, const std::string&) { resumed = progress.tiles_resumed; });
  EXPECT_GE(resumed, 1);
  segment("whole", {});
  EXPECT_GT(csv("whole").size(), 1000U);
  EXPECT_EQ(csv("run"), csv("whole"));
}

TEST_F(GpuFailure, OtherAbortsStayAborts) {
  const auto abort_now = [] {
    explain_gpu_failures([]() -> const char* { return nullptr; });
    std::abort();
  };
  EXPECT_EXIT(abort_now(), testing::KilledBySignal(SIGABRT), "^$");
}

}  // namespace
}  // namespace starpath
