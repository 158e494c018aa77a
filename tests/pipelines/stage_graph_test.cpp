// The tables that submission follows.
#include "pipelines/segmentation/stage_graph.hpp"

#include <gtest/gtest.h>

#include <set>

#include "pipelines/nbia/stage_graph.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"

namespace starpath {
namespace {

std::set<Operation> predecessors(Operation operation) {
  std::set<Operation> found;
  for (const Buffer read : kStageGraph[static_cast<std::size_t>(operation)].reads)
    for (const SegmentationOperation& spec : kStageGraph)
      for (const Buffer written : spec.writes)
        if (written == read) found.insert(spec.operation);
  return found;
}

TEST(StageGraph, IsInTheOrderOfTheEnumeration) {
  for (std::size_t i = 0; i < kOperationCount; ++i) EXPECT_EQ(static_cast<std::size_t>(kStageGraph[i].operation), i);
}

TEST(StageGraph, EveryBufferIsWrittenOnceAndBeforeItIsRead) {
  std::set<Buffer> of_any;
  for (const Detection detection : {Detection::levels, Detection::learned, Detection::network, Detection::stars,
                                    Detection::scores, Detection::labels}) {
    std::set<Buffer> written = {Buffer::stains, Buffer::colours, Buffer::network};  // the run's
    for (const SegmentationOperation& spec : kStageGraph) {
      if (!is_part_of(spec.operation, detection)) continue;
      for (const Buffer read : spec.reads) EXPECT_TRUE(written.contains(read)) << spec.name;
      for (const Buffer write : spec.writes) EXPECT_TRUE(written.insert(write).second) << spec.name;
    }
    of_any.merge(written);
  }
  EXPECT_EQ(of_any.size(), kBufferCount);
}

TEST(StageGraph, LeavesOutOtherDetectors) {
  EXPECT_TRUE(is_left_out(Operation::detect, {}, Normalised::nothing));
  EXPECT_FALSE(is_left_out(Operation::detect, {}, Normalised::nothing, Detection::learned));
  EXPECT_FALSE(is_left_out(Operation::marked_relief, {}, Normalised::nothing, Detection::learned));
  EXPECT_TRUE(is_left_out(Operation::rbc, {}, Normalised::nothing, Detection::learned));
  EXPECT_TRUE(is_left_out(Operation::pre_watershed, {}, Normalised::nothing, Detection::learned));
  EXPECT_TRUE(is_left_out(Operation::infer, {}, Normalised::nothing, Detection::learned));
  EXPECT_FALSE(is_left_out(Operation::infer, {}, Normalised::nothing, Detection::network));
  EXPECT_FALSE(is_left_out(Operation::marked_relief, {}, Normalised::nothing, Detection::network));
  EXPECT_TRUE(is_left_out(Operation::detect, {}, Normalised::nothing, Detection::network));
  EXPECT_TRUE(is_left_out(Operation::rbc, {}, Normalised::nothing, Detection::network));
  for (const Detection detection : {Detection::levels, Detection::learned, Detection::network, Detection::scores}) {
    EXPECT_FALSE(is_left_out(Operation::watershed, {}, Normalised::nothing, detection));
    EXPECT_TRUE(is_left_out(Operation::normalise_first, {}, Normalised::nothing, detection));
  }
}

TEST(StageGraph, WithMapsReadsThemAndFindsNothing) {
  const auto left_out = [](Operation operation, Detection detection) {
    return is_left_out(operation, {}, Normalised::nothing, detection);
  };
  EXPECT_TRUE(left_out(Operation::read_scores, Detection::learned));
  EXPECT_FALSE(left_out(Operation::read_scores, Detection::scores));
  EXPECT_FALSE(left_out(Operation::marked_relief, Detection::scores));
  EXPECT_TRUE(left_out(Operation::detect, Detection::scores));
  for (const Detection detection : {Detection::levels, Detection::learned, Detection::scores})
    EXPECT_TRUE(left_out(Operation::read_labels, detection));
  EXPECT_FALSE(left_out(Operation::read_labels, Detection::labels));
  for (const Operation finding : {Operation::detect, Operation::read_scores, Operation::marked_relief, Operation::rbc,
                                  Operation::pre_watershed, Operation::watershed, Operation::bwlabel})
    for (const Detection by_labels : {Detection::labels, Detection::stars}) EXPECT_TRUE(left_out(finding, by_labels));
  EXPECT_FALSE(left_out(Operation::infer_labels, Detection::stars));
  EXPECT_TRUE(left_out(Operation::infer, Detection::stars));
  EXPECT_TRUE(left_out(Operation::read_labels, Detection::stars));
  for (const Detection detection : {Detection::learned, Detection::network, Detection::labels})
    EXPECT_TRUE(left_out(Operation::infer_labels, detection));
}

TEST(StageGraph, HasTheEdgesOfTheDesign) {
  using O = std::set<Operation>;
  EXPECT_EQ(predecessors(Operation::recon_to_nuclei), (O{Operation::morph_open}));
  EXPECT_EQ(predecessors(Operation::fill_holes), (O{Operation::recon_to_nuclei}));
  EXPECT_EQ(predecessors(Operation::area_threshold), (O{Operation::fill_holes}));
  EXPECT_EQ(predecessors(Operation::select),
            (O{Operation::recon_to_nuclei, Operation::area_threshold, Operation::rbc}));
  EXPECT_EQ(predecessors(Operation::pre_watershed), (O{Operation::select}));
  EXPECT_EQ(predecessors(Operation::watershed), (O{Operation::pre_watershed, Operation::marked_relief}));
  EXPECT_EQ(predecessors(Operation::marked_relief), (O{Operation::detect, Operation::infer, Operation::read_scores}));
  EXPECT_EQ(predecessors(Operation::bwlabel), (O{Operation::watershed}));
  EXPECT_TRUE(predecessors(Operation::shape_features).contains(Operation::bwlabel));
  EXPECT_TRUE(predecessors(Operation::object_boxes).contains(Operation::read_labels));
  for (const Operation family : {Operation::intensity_features, Operation::gradient_features, Operation::edge_features,
                                 Operation::texture_features}) {
    EXPECT_EQ(predecessors(family),
              (O{Operation::colour_deconvolution, Operation::nucleus_regions, Operation::bwlabel,
                 Operation::infer_labels, Operation::read_labels, Operation::object_boxes, Operation::ownership}));
    EXPECT_TRUE(predecessors(Operation::collect).contains(family));
  }
}

TEST(StageGraph, AgreesWithTheCodeletsBuffers) {
  for (const SegmentationOperation& operation : kStageGraph) {
    EXPECT_STREQ(operation.codelet->name, operation.name);
    ASSERT_EQ(static_cast<std::size_t>(operation.codelet->nbuffers), operation.reads.size + operation.writes.size)
        << operation.name;
    for (std::size_t i = 0; i < operation.reads.size + operation.writes.size; ++i)
      EXPECT_EQ(operation.codelet->modes[i], i < operation.reads.size ? STARPU_R : STARPU_W)
          << operation.name << " " << i;
  }
  for (const NbiaStage& operation : kFieldGraph)
    ASSERT_EQ(static_cast<std::size_t>(operation.codelet->nbuffers), operation.reads.size + operation.writes.size)
        << operation.name;
}

TEST(StageGraph, RunsOnGpusButForWhatTouchesFilesNetworksAndRecords) {
  const std::set<Operation> for_cores = {Operation::read,        Operation::infer,       Operation::infer_labels,
                                         Operation::read_scores, Operation::read_labels, Operation::ownership,
                                         Operation::collect};
  for (const SegmentationOperation& row : kStageGraph) {
    const starpu_codelet& codelet = *row.codelet;
    EXPECT_NE(codelet.cpu_funcs[0], nullptr) << row.name;
    EXPECT_EQ(codelet.cuda_funcs[0] != nullptr || codelet.opencl_funcs[0] != nullptr,
              codelets::kCudaCompiled && !for_cores.contains(row.operation))
        << row.name;
  }
}

TEST(StageGraph, KnowsTheLastReader) {
  EXPECT_TRUE(is_last_reader(Operation::normalise, Buffer::rgb));
  EXPECT_TRUE(is_last_reader(Operation::colour_deconvolution, Buffer::normalised));
  EXPECT_TRUE(is_last_reader(Operation::texture_features, Buffer::channels));
  EXPECT_FALSE(is_last_reader(Operation::rbc, Buffer::rgb));
  EXPECT_FALSE(is_last_reader(Operation::colour_deconvolution, Buffer::stains)) << "the run's";
  EXPECT_TRUE(is_last_reader(Operation::select, Buffer::difference));
  EXPECT_FALSE(is_last_reader(Operation::fill_holes, Buffer::difference));
}

TEST(StageGraph, KnowsWhatFamiliesNeed) {
  for (std::size_t i = 0; i < kFamilyCount; ++i) {
    const auto family = static_cast<FeatureFamily>(i);
    std::size_t computed = 0;
    for (const SegmentationOperation& row : kStageGraph) {
      if (family_of(row.operation) != family) continue;
      ++computed;
      EXPECT_EQ(family_of(*row.writes.begin()), family) << row.name;
    }
    EXPECT_EQ(computed, 1u) << kFamilyNames[i];
  }
  EXPECT_FALSE(family_of(Operation::collect) || family_of(Operation::colour_deconvolution) ||
               family_of(Buffer::stains));

  FamilySet without_texture;
  without_texture.set(FeatureFamily::texture, false);
  EXPECT_TRUE(is_left_out(Operation::texture_features, without_texture, Normalised::features));
  EXPECT_FALSE(is_left_out(Operation::edge_features, without_texture, Normalised::features));
  EXPECT_FALSE(is_left_out(Operation::colour_deconvolution, without_texture, Normalised::features));
  FamilySet shape;
  for (std::size_t i = 1; i < kFamilyCount; ++i) shape.set(static_cast<FeatureFamily>(i), false);
  EXPECT_TRUE(is_left_out(Operation::colour_deconvolution, shape, Normalised::features));
  EXPECT_FALSE(is_left_out(Operation::shape_features, shape, Normalised::features));
}

TEST(StageGraph, NormalisesColoursOnceAtMost) {
  using enum Normalised;
  for (const Normalised each : {nothing, features, first}) {
    EXPECT_EQ(is_left_out(Operation::normalise_first, {}, each), each != first);
    EXPECT_EQ(is_left_out(Operation::normalise, {}, each), each != features);
  }
  EXPECT_EQ(normalised_by(0), nothing);
  EXPECT_EQ(normalised_by(1), features);
  EXPECT_EQ(normalised_by(2), first);
  EXPECT_GT(Operation::normalise_first, Operation::count_background) << "glass is found on the pixels as scanned";
}

// Pixels (3 bytes), labels (4), masks (1) and the images of stains (3). Without these: pixels, labels and masks.
TEST(StageGraph, SaysWhatATileNeedsAtOnce) {
  FamilySet shape;
  for (std::size_t i = 1; i < kFamilyCount; ++i) shape.set(static_cast<FeatureFamily>(i), false);
  EXPECT_EQ(memory_need_of(1000, Normalised::nothing, {}).at_once, 11000);
  EXPECT_EQ(memory_need_of(1000, Normalised::features, {}).at_once, 11000);
  EXPECT_EQ(memory_need_of(1000, Normalised::nothing, shape).at_once, 8000);
  EXPECT_EQ(memory_need_of(1000, Normalised::features, shape).at_once, 8000);
  EXPECT_EQ(memory_need_of(1000, Normalised::first, {}).at_once, 11000);
  EXPECT_EQ(memory_need_of(1000, Normalised::first, shape).at_once, 8000);
  for (const Detection detection :
       {Detection::learned, Detection::network, Detection::stars, Detection::scores, Detection::labels})
    EXPECT_EQ(memory_need_of(1000, Normalised::nothing, {}, detection).at_once, 11000);
  EXPECT_EQ(memory_need_of(1000, Normalised::features, {}).largest, 4000);
}

TEST(StageGraph, PhasesFollowEachOther) {
  for (std::size_t i = 1; i < kOperationCount; ++i) EXPECT_LE(kStageGraph[i - 1].phase, kStageGraph[i].phase);
}

}  // namespace
}  // namespace starpath
