// The pipeline in StarPU against the plain sequence of reference kernels.
#include "pipelines/segmentation/segment_slide.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <initializer_list>
#include <set>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/tile_store.hpp"
#include "pipelines/run/starpu_session.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/run/tile_run.hpp"
#include "pipelines/segmentation/stage_graph.hpp"
#include "support/detector_network.hpp"
#include "support/segment_image.hpp"
#include "tests/pipelines/apart_loop.hpp"
#include "tests/support/stubborn_slide.hpp"

namespace starpath {
namespace {

/// A results file in a folder that goes away.
class SegmentSlide : public testing::Test {
 protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  io::ResultStore create(const io::Slide& slide, const io::WorkingSlide& grid, const SegmentationOptions& options,
                         const std::string& name = "results.sqlite") {
    return io::ResultStore::create(folder_ / name, run_key(slide.info(), options),
                                   run_info(slide.info(), grid, options));
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / ("starpath_segment_slide_" + std::to_string(getpid()));
  SessionOptions session_{.policy = "eager", .cpus = 2, .gpus = 0};
  std::atomic<bool> stop_{false};
  const ProgressCallback nobody_;
};

/// Gives each codelet of the segmentation that has two implementations for CPUs the second one in the place of the
/// first, which is the one that StarPU's policy `eager` runs.
void swap_implementations() {
  for (const SegmentationOperation& operation : kStageGraph) {
    auto& functions = operation.codelet->cpu_funcs;
    if (functions[1] != nullptr) std::swap(functions[0], functions[1]);
  }
}

class EachImplementation : public SegmentSlide, public testing::WithParamInterface<bool> {
 protected:
  EachImplementation() {
    if (GetParam()) swap_implementations();
  }
  ~EachImplementation() override {
    if (GetParam()) swap_implementations();
  }
};
INSTANTIATE_TEST_SUITE_P(Both, EachImplementation, testing::Bool(),
                         [](const auto& each) { return each.param ? "Second" : "First"; });

using Labels = support::Image<std::int32_t>;

/// Of the accepted nuclei, by their numbers.
Labels labels_of(const io::ResultStore& store, int width, int height) {
  Labels labels(width, height);
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t id, const io::NucleusRecord& nucleus) {
    for (const io::PixelRun& run : io::pixel_runs(nucleus.contour))
      for (int x = run.x0; x < run.x1; ++x) labels.at(x, run.y) = static_cast<std::int32_t>(id);
  });
  return labels;
}

TEST_P(EachImplementation, OneTileGivesThePixelsOfTheReferenceKernels) {
  const auto slide = io::open_slide("synthetic:600x500,seed=11");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const SegmentationOptions options;
  io::ResultStore store = create(*slide, grid, options);
  {
    const StarpuSession session(session_);
    const Progress progress = segment_slide(grid, io::TileStore(store), options, {}, stop_);
    EXPECT_EQ(progress.tiles_done, 1);
    EXPECT_EQ(progress.tiles_failed, 0);
  }
  const std::int64_t accepted = accept_nuclei(store, options).nuclei;

  support::Image<Rgb> rgb(600, 500);
  grid.read(0, 0, rgb.view());
  Labels expected(600, 500);
  const std::int32_t count = reference::segment_image(
      rgb.view(), pixel_parameters(options.parameters, kFixedLevels, io::kDesignMpp), expected.view());
  EXPECT_GT(count, 30);
  EXPECT_EQ(accepted, count);
  EXPECT_TRUE(same(expected, labels_of(store, 600, 500)));
}

/// With a network that finds what is dark.
SegmentationOptions learned_options() {
  const support::TestNetwork network = support::darkness_network();
  SegmentationOptions options;
  options.parameters.detector = 1;
  options.parameters.weights =
      std::make_shared<LearnedDetector>(LearnedDetector{network.channels, network.numbers(), io::kDesignMpp, 128, 118});
  return options;
}

TEST_F(SegmentSlide, TheLearnedDetectorGivesThePixelsOfTheReferenceKernels) {
  const auto slide = io::open_slide("synthetic:601x499,seed=11");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options = learned_options();
  support::Image<Rgb> rgb(601, 499);
  grid.read(0, 0, rgb.view());
  Labels expected(601, 499);
  const PixelParameters parameters = pixel_parameters(options.parameters, kFixedLevels, io::kDesignMpp);
  const std::int32_t count =
      reference::segment_image(rgb.view(), parameters, options.parameters.weights->words, expected.view());
  EXPECT_GT(count, 30);
  const StarpuSession session(session_);
  for (const bool non_pipelined : {false, true}) {
    options.non_pipelined = non_pipelined;
    io::ResultStore store = create(*slide, grid, options, non_pipelined ? "whole.sqlite" : "operations.sqlite");
    EXPECT_EQ(segment_slide(grid, io::TileStore(store), options, {}, stop_).tiles_done, 1);
    EXPECT_EQ(accept_nuclei(store, options).nuclei, count);
    EXPECT_TRUE(same(expected, labels_of(store, 601, 499)));
  }
}

TEST_F(SegmentSlide, TheLearnedDetectorFindsTheSameInTilesOfAnySize) {
  const auto slide = io::open_slide("synthetic:900x700,seed=3");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options = learned_options();
  const StarpuSession session(session_);
  const auto labels_in_tiles = [&](std::int64_t tile, std::int64_t cell) {
    options.tiling.tile = tile;
    options.tiling.cell = cell;
    options.tiling.halo = 0;
    options.tiling.halo = halo_of(options);
    io::ResultStore store = create(*slide, grid, options, std::to_string(tile) + ".sqlite");
    segment_slide(grid, io::TileStore(store), options, {}, stop_);
    EXPECT_GT(accept_nuclei(store, options).nuclei, 30);
    return labels_of(store, 900, 700);
  };
  const Labels whole = labels_in_tiles(1024, 256);
  EXPECT_TRUE(same(whole, labels_in_tiles(250, 256)));
  EXPECT_TRUE(same(whole, labels_in_tiles(301, 1)));
}

/// Very roughly as many as levels do, on a painted slide, which no network was trained for. Without training it finds
/// none.
TEST_F(SegmentSlide, TheNetworkOfTheProgramFindsNuclei) {
  const auto slide = io::open_slide("synthetic:600x500,seed=11");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const StarpuSession session(session_);
  std::array<std::int64_t, 2> found{};
  for (const std::size_t detector : {0, 1}) {
    SegmentationOptions options;
    options.parameters.detector = static_cast<double>(detector);
    io::ResultStore store = create(*slide, grid, options, std::to_string(detector) + ".sqlite");
    segment_slide(grid, io::TileStore(store), options, {}, stop_);
    found[detector] = accept_nuclei(store, options).nuclei;
  }
  EXPECT_GT(found[0], 80);
  EXPECT_GT(found[1], found[0] / 3);
  EXPECT_LT(found[1], 2 * found[0]);
}

TEST_F(SegmentSlide, TheLearnedDetectorKnowsOneResolution) {
  SegmentationOptions options = learned_options();
  options.tiling.halo = halo_of(options);
  EXPECT_NO_THROW(check_options(options));
  options.target_mpp = 0.25;
  EXPECT_THROW(check_options(options), Error);
}

TEST_F(SegmentSlide, GlassTilesAreSkipped) {
  const auto slide = io::open_slide("synthetic:6000x6000,seed=1");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.tiling.tile = 256;
  options.tiling.halo = 32;
  options.tiling.roi = {0, 0, 256, 6000};
  io::ResultStore store = create(*slide, grid, options);
  const StarpuSession session(session_);
  const Progress progress = segment_slide(grid, io::TileStore(store), options, {}, stop_);
  EXPECT_GT(progress.tiles_skipped, 0);
  EXPECT_LT(progress.tiles_skipped, progress.tiles_total);
}

TEST_F(SegmentSlide, AFailingReadIsTriedAgain) {
  const auto slide = io::open_slide("synthetic:300x300,seed=2");
  const support::StubbornSlide stubborn(*slide, 2);
  const io::WorkingSlide grid(stubborn, io::kDesignMpp, 0);
  const SegmentationOptions options;
  io::ResultStore store = create(*slide, grid, options);
  const StarpuSession session(session_);
  EXPECT_EQ(segment_slide(grid, io::TileStore(store), options, {}, stop_).tiles_failed, 0);
}

TEST_F(SegmentSlide, ATileThatNeverReadsIsRecordedAsFailed) {
  const auto slide = io::open_slide("synthetic:300x300,seed=2");
  const support::StubbornSlide stubborn(*slide, 1000);
  const io::WorkingSlide grid(stubborn, io::kDesignMpp, 0);
  const SegmentationOptions options;
  io::ResultStore store = create(*slide, grid, options);
  const StarpuSession session(session_);
  std::string told;
  const Progress progress = segment_slide(
      grid, io::TileStore(store), options, [&](const Progress&, const std::string& failure) { told += failure; },
      stop_);
  EXPECT_EQ(progress.tiles_failed, 1);
  EXPECT_NE(told.find("no luck"), std::string::npos) << told;
  ASSERT_EQ(io::TileStore(store).tiles().size(), 1u);
  EXPECT_EQ(io::TileStore(store).tiles()[0].state, io::TileState::failed);
  EXPECT_NE(io::TileStore(store).tiles()[0].error.find("no luck"), std::string::npos);
}

/// A slide of which a square cannot be read.
class HoledSlide final : public io::Slide {
 public:
  HoledSlide(const io::Slide& slide, const Rect& hole) : slide_(slide), hole_(hole), info_(slide.info()) {
    info_.levels[0].block_width = info_.levels[0].block_height = hole.width;
  }
  const io::SlideInfo& info() const override { return info_; }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (!intersection(hole_, {x, y, out.width, out.height}).empty()) throw Error(ErrorKind::input, "a hole");
    slide_.read(level, x, y, out);
  }

 private:
  const io::Slide& slide_;
  const Rect hole_;
  io::SlideInfo info_;
};

TEST_F(SegmentSlide, WhatCannotBeReadCostsTheNucleiThatReachIt) {
  const Rect hole{512, 256, 256, 256};
  const auto slide = io::open_slide("synthetic:1200x1000,seed=4");
  const HoledSlide holed(*slide, hole);
  SegmentationOptions options;
  options.tiling.tile = 512;
  const StarpuSession session(session_);
  std::vector<std::vector<io::NucleusRecord>> found;
  for (const io::Slide* each : std::initializer_list<const io::Slide*>{slide.get(), &holed}) {
    const io::WorkingSlide grid(*each, io::kDesignMpp, 0);
    std::filesystem::remove(folder_ / "results.sqlite");
    io::ResultStore store = create(*slide, grid, options);
    segment_slide(grid, io::TileStore(store), options, {}, stop_);
    accept_nuclei(store, options);
    io::NucleusStore(store).for_each_nucleus(
        false, [&, &into = found.emplace_back()](std::int64_t, const io::NucleusRecord& n) { into.push_back(n); });
    if (each == slide.get()) continue;
    const auto tiles = io::TileStore(store).tiles();
    ASSERT_EQ(tiles.size(), 6u);
    EXPECT_EQ(tiles[1].state, io::TileState::failed);
    EXPECT_EQ(tiles[1].error, "a hole; nuclei that reach there are left out, and the others kept");
    for (const std::size_t far : {2u, 5u}) EXPECT_EQ(tiles[far].state, io::TileState::done);
  }
  const auto box_of = [](const io::NucleusRecord& n) { return Rect{n.x0, n.y0, n.x1 - n.x0, n.y1 - n.y0}; };
  const auto away = [&](const std::vector<io::NucleusRecord>& all, std::int64_t margin) {
    const Rect near{hole.x - margin, hole.y - margin, hole.width + 2 * margin, hole.height + 2 * margin};
    std::set<std::array<std::int64_t, 3>> places;
    for (const io::NucleusRecord& n : all)
      if (intersection(box_of(n), near).empty()) places.insert({n.first_x, n.first_y, n.area});
    return places;
  };
  // As far as tiles look around them, what a nucleus lies in may look otherwise beside a hole.
  EXPECT_GT(away(found[0], options.tiling.halo).size(), 100u);
  EXPECT_EQ(away(found[0], options.tiling.halo), away(found[1], options.tiling.halo));
  const auto beside = away(found[0], 16), kept = away(found[1], 16);
  const auto same = std::ranges::count_if(beside, [&](const auto& nucleus) { return kept.contains(nucleus); });
  EXPECT_GT(same, std::ssize(beside) * 97 / 100);
  for (const io::NucleusRecord& n : found[1]) EXPECT_TRUE(intersection(box_of(n), hole).empty());
}

TEST_F(SegmentSlide, StopsWhenAsked) {
  const auto slide = io::open_slide("synthetic:3000x3000,seed=2");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.tiling.tile = 256;
  options.window = 2;
  io::ResultStore store = create(*slide, grid, options);
  const StarpuSession session(session_);
  const Progress progress = segment_slide(
      grid, io::TileStore(store), options,
      [&](const Progress& now, const std::string&) { stop_ = now.tiles_done >= 3; }, stop_);
  EXPECT_TRUE(progress.interrupted);
  EXPECT_LE(progress.tiles_done, 3 + 2 * options.window) << "those in flight and those being written";
  EXPECT_EQ(static_cast<std::int64_t>(io::TileStore(store).tiles().size()), progress.tiles_done);
}

/// A list of tiles whose segmentation goes as bytes to a job that has none, for every second one; `damage` lets them
/// arrive without their last byte.
class Travelling final : public TileSource, private TileSink {
 public:
  Travelling(const std::vector<std::int64_t>& tiles, bool damage)
      : list_(tiles, segmentation_workflow()), damage_(damage) {}

  void start(TileSink& sink) override {
    run_ = &sink;
    list_.start(*this);
  }
  void cannot_run(const std::vector<int>& stages) override { EXPECT_TRUE(stages.empty()); }
  void request(std::size_t instances) override { list_.request(instances); }
  void finished(const TileDone& done) override { list_.finished(done); }
  void returned(const StageInstance& instance) override { list_.returned(instance); }
  void send(const StageInstance& instance, int, std::optional<std::string> data) override {
    ASSERT_TRUE(data);
    if (damage_) data->pop_back();
    run_->forget(instance.tile);
    run_->give({{{instance.tile, kFeatures}, false, {{kSegmentation, *data}}}});
    ++travelled;
    --on_the_way_;
    tell_end();
  }
  void stop() override { list_.stop(); }
  void drained() override { list_.drained(); }
  void leave() override { list_.leave(); }

  int travelled = 0;

 private:
  void give(std::vector<GivenInstance> instances) override {
    for (const GivenInstance& given : instances) {
      if (given.instance.stage == kFeatures && given.instance.tile % 2 == 0) {
        ++on_the_way_;
        run_->hand_over({given.instance.tile, kSegmentation}, 1);
      } else {
        run_->give({given});
      }
    }
  }
  /// Not before what is on the way has come: the list knows nothing of it.
  void tell_end() {
    if (end_ && on_the_way_ == 0) run_->no_more();
  }
  void drop() override { run_->drop(); }
  void no_more() override {
    end_ = true;
    tell_end();
  }
  void done_elsewhere(const TileDone& tile) override { run_->done_elsewhere(tile); }
  void over(bool interrupted) override { run_->over(interrupted); }
  void forget(std::int64_t tile) override { run_->forget(tile); }
  void hand_over(const StageInstance& instance, int to) override { run_->hand_over(instance, to); }

  TileList list_;
  const bool damage_;
  TileSink* run_ = nullptr;
  int on_the_way_ = 0;  // instances whose data travel
  bool end_ = false;
};

/// Features, centroid and outline of every nucleus.
std::vector<std::vector<double>> rows_of(const io::ResultStore& store) {
  std::vector<std::vector<double>> rows;
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    auto& row = rows.emplace_back(nucleus.features);
    row.insert(row.end(), {nucleus.centroid_x, nucleus.centroid_y});
    for (const io::Point& point : nucleus.contour)
      row.insert(row.end(), {static_cast<double>(point.x), static_cast<double>(point.y)});
  });
  return rows;
}

TEST_F(SegmentSlide, FeaturesOfATileThatWasSegmentedElsewhereAreTheSame) {
  const auto slide = io::open_slide("synthetic:900x800,seed=5");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.tiling.tile = 256;
  options.tiling.halo = 64;
  const StarpuSession session(session_);
  std::vector<std::vector<double>> rows[2];
  for (const bool travels : {false, true}) {
    io::ResultStore store = create(*slide, grid, options);
    const std::vector<std::int64_t> tiles = tiles_left(grid, io::TileStore(store), options);
    Travelling travelling(tiles, false);
    TileList staying(tiles, segmentation_workflow());
    TileSource& source = travels ? static_cast<TileSource&>(travelling) : staying;
    const Progress progress = segment_tiles(grid, io::TileStore(store), options, source, {}, stop_);
    EXPECT_EQ(progress.tiles_failed, 0);
    EXPECT_EQ(travelling.travelled > 3, travels);
    EXPECT_GT(accept_nuclei(store, options).nuclei, 50);
    rows[travels ? 1 : 0] = rows_of(store);
    std::filesystem::remove(folder_ / "results.sqlite");
  }
  EXPECT_TRUE(rows[0] == rows[1]);
}

TEST_F(SegmentSlide, TilesThatWereReadElsewhereAreTheSame) {
  const auto slide = io::open_slide("synthetic:900x800,seed=5");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.tiling.tile = 256;
  options.tiling.halo = 64;
  const StarpuSession session(session_);
  std::vector<std::vector<double>> rows[2];
  for (const bool apart : {false, true}) {
    io::ResultStore store = create(*slide, grid, options);
    int rounds = 0;
    const std::vector<std::int64_t> tiles = tiles_left(grid, io::TileStore(store), options);
    TileList list(tiles, segmentation_workflow());
    const MakeTileLoop loop = apart ? test::apart(tiles, rounds) : tile_runs(list, nobody_);
    const Progress progress = segment_tiles(grid, io::TileStore(store), options, loop, stop_);
    EXPECT_EQ(progress.tiles_done, static_cast<std::int64_t>(tiles.size()));
    EXPECT_EQ(rounds, apart ? static_cast<int>(tiles.size()) : 0);
    EXPECT_GT(accept_nuclei(store, options).nuclei, 50);
    rows[apart ? 1 : 0] = rows_of(store);
    std::filesystem::remove(folder_ / "results.sqlite");
  }
  EXPECT_TRUE(rows[0] == rows[1]);
}

TEST_F(SegmentSlide, LabelsThatDoNotFitTheirTileAreRefused) {
  const auto slide = io::open_slide("synthetic:900x800,seed=5");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  SegmentationOptions options;
  options.tiling.tile = 256;
  options.tiling.halo = 64;
  const StarpuSession session(session_);
  io::ResultStore store = create(*slide, grid, options);
  Travelling damaged(tiles_left(grid, io::TileStore(store), options), true);
  try {
    segment_tiles(grid, io::TileStore(store), options, damaged, {}, stop_);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::mismatch);
  }
}

TEST(StarpuSession, UnknownPolicyIsRefusedWithTheKnownOnes) {
  try {
    choose_policy({.policy = "fastest"});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::usage);
    EXPECT_NE(std::string(error.what()).find("dmda"), std::string::npos);
  }
}

TEST(CheckOptions, NamesTheOption) {
  const auto slide = io::open_slide("synthetic:300x300");
  const io::WorkingSlide grid(*slide, io::kDesignMpp, 0);
  const auto refused = [&](const SegmentationOptions& options) -> std::string {
    try {
      check_options(grid, options);
      return "";
    } catch (const Error& error) {
      return error.what();
    }
  };
  SegmentationOptions options;
  EXPECT_EQ(refused(options), "");
  options.tiling.tile = 100;
  EXPECT_NE(refused(options).find("--tile 100"), std::string::npos);
  options.tiling.tile = 100000;
  EXPECT_NE(refused(options).find("too large"), std::string::npos);
  options = {};
  options.tiling.halo = 3;
  EXPECT_NE(refused(options).find("--halo 3"), std::string::npos);
  options = {};
  options.window = -1;
  EXPECT_NE(refused(options).find("--window -1"), std::string::npos);
}

}  // namespace
}  // namespace starpath
