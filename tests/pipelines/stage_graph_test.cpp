// The tables that submission follows.
#include "pipelines/segmentation/stage_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "pipelines/nbia/stage_graph.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"

namespace starpath {
namespace {

std::set<Stage> predecessors(Stage stage) {
  std::set<Stage> found;
  for (const Buffer read : kStageGraph[static_cast<std::size_t>(stage)].reads)
    for (const SegmentationStage& spec : kStageGraph)
      for (const Buffer written : spec.writes)
        if (written == read) found.insert(spec.stage);
  return found;
}

TEST(StageGraph, IsInTheOrderOfTheEnumeration) {
  for (std::size_t i = 0; i < kStageCount; ++i) EXPECT_EQ(static_cast<std::size_t>(kStageGraph[i].stage), i);
}

TEST(StageGraph, EveryBufferIsWrittenOnceAndBeforeItIsRead) {
  std::set<Buffer> written = {Buffer::stains, Buffer::colours};  // the run's
  for (const SegmentationStage& spec : kStageGraph) {
    for (const Buffer read : spec.reads) EXPECT_TRUE(written.contains(read)) << spec.name;
    for (const Buffer write : spec.writes) EXPECT_TRUE(written.insert(write).second) << spec.name;
  }
  EXPECT_EQ(written.size(), kBufferCount);
}

TEST(StageGraph, HasTheEdgesOfTheDesign) {
  using S = std::set<Stage>;
  EXPECT_EQ(predecessors(Stage::recon_to_nuclei), (S{Stage::morph_open}));
  EXPECT_EQ(predecessors(Stage::fill_holes), (S{Stage::recon_to_nuclei}));
  EXPECT_EQ(predecessors(Stage::area_threshold), (S{Stage::fill_holes}));
  EXPECT_EQ(predecessors(Stage::select), (S{Stage::recon_to_nuclei, Stage::area_threshold, Stage::rbc}));
  EXPECT_EQ(predecessors(Stage::pre_watershed), (S{Stage::select}));
  EXPECT_EQ(predecessors(Stage::watershed), (S{Stage::pre_watershed}));
  EXPECT_EQ(predecessors(Stage::bwlabel), (S{Stage::watershed}));
  EXPECT_TRUE(predecessors(Stage::features).contains(Stage::bwlabel));
}

TEST(StageGraph, AgreesWithTheCodeletsBuffers) {
  for (const SegmentationStage& stage : kStageGraph) {
    EXPECT_STREQ(stage.codelet->name, stage.name);
    ASSERT_EQ(static_cast<std::size_t>(stage.codelet->nbuffers), stage.reads.size + stage.writes.size) << stage.name;
    for (std::size_t i = 0; i < stage.reads.size + stage.writes.size; ++i)
      EXPECT_EQ(stage.codelet->modes[i], i < stage.reads.size ? STARPU_R : STARPU_W) << stage.name << " " << i;
  }
  for (const NbiaStage& stage : kFieldGraph)
    ASSERT_EQ(static_cast<std::size_t>(stage.codelet->nbuffers), stage.reads.size + stage.writes.size) << stage.name;
}

TEST(StageGraph, KnowsTheLastReader) {
  EXPECT_TRUE(is_last_reader(Stage::normalise, Buffer::rgb));
  EXPECT_TRUE(is_last_reader(Stage::features, Buffer::normalised));
  EXPECT_FALSE(is_last_reader(Stage::rbc, Buffer::rgb));
  EXPECT_FALSE(is_last_reader(Stage::features, Buffer::stains)) << "the run's";
  EXPECT_TRUE(is_last_reader(Stage::select, Buffer::difference));
  EXPECT_FALSE(is_last_reader(Stage::fill_holes, Buffer::difference));
}

// Pixels (3 bytes), nuclei (1) and labels (4); or pixels, labels and pixels in other colours.
TEST(StageGraph, SaysWhatATileNeedsAtOnce) {
  EXPECT_EQ(memory_need_of(1000, false).at_once, 8000);
  EXPECT_EQ(memory_need_of(1000, true).at_once, 10000);
  EXPECT_EQ(memory_need_of(1000, true).largest, 4000);
}

TEST(StageGraph, PhasesFollowEachOther) {
  for (std::size_t i = 1; i < kStageCount; ++i) EXPECT_LE(kStageGraph[i - 1].phase, kStageGraph[i].phase);
}

}  // namespace
}  // namespace starpath
