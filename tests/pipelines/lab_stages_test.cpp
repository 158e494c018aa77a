// The lab's stages of the segmentation beside the pipeline's: the papers' stages, and the shipped ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "pipelines/segmentation/stage_graph.hpp"
#include "tests/lab/models.hpp"

namespace starpath::lab {
namespace {

/// Whether `task` waits for `before`, perhaps through others.
bool waits_for(const std::vector<std::vector<unsigned>>& after, unsigned task, unsigned before) {
  return std::ranges::any_of(after[task],
                             [&](unsigned next) { return next == before || waits_for(after, next, before); });
}

// The papers' stages are not the pipeline's of today. But where both have two stages, and one waits for the other
// in the pipeline, it does in the papers' graph too.
TEST(LabStages, KeepTheOrderOfThePipeline) {
  WorkloadModel model = workload("segmentation");
  set_parameter(model, "tiles", 1);
  const Workload tile = make_workload(model, machine("keeneland"), 1);
  const auto after = dependencies(tile);
  const auto number = [&](std::string_view name) -> std::optional<unsigned> {
    const auto found = std::ranges::find(tile.kinds, name);
    if (found == tile.kinds.end()) return std::nullopt;
    return static_cast<unsigned>(found - tile.kinds.begin());
  };
  unsigned compared = 0;
  for (const SegmentationOperation& reader : kStageGraph)
    for (const SegmentationOperation& writer : kStageGraph) {
      const bool depends = std::ranges::any_of(
          reader.reads, [&](Buffer buffer) { return std::ranges::find(writer.writes, buffer) != writer.writes.end(); });
      const auto waiting = number(reader.name), before = number(writer.name);
      if (!depends || !waiting || !before) continue;
      ++compared;
      EXPECT_TRUE(waits_for(after, *waiting, *before)) << reader.name << " waits for " << writer.name;
    }
  EXPECT_EQ(compared, 16u);
}

using Names = std::vector<std::string>;

/// Names of the buffers in the workload file, in the order of Buffer.
constexpr std::array<const char*, kBufferCount> kBufferNames = {
    "rgb",    "glass",      "cells",    "recoloured", "nucleus_scores", "core_scores", "rbc",        "inverted",
    "opened", "difference", "filled",   "seeds",      "selected",       "objects",     "depth",      "nuclei",
    "labels", "count",      "boxes",    "roles",      "places",         "masks",       "normalised", "channels",
    "shape",  "intensity",  "gradient", "edges",      "texture",        "stains",      "colours",    "network"};

/// As the lab names the buffer. Where colours are not normalised, operations see the pixels themselves.
std::string name_of(Buffer buffer) {
  return kBufferNames[static_cast<std::size_t>(buffer == Buffer::normalised ? Buffer::rgb : buffer)];
}

struct Shipped {
  const char* workload;
  Detection detection;
};
constexpr Shipped kShipped[] = {{"segmentation-shipped", Detection::levels},
                                {"segmentation-learned", Detection::learned}};

bool is_for_cores_only(const SegmentationOperation& row) {
  return row.codelet == &read_codelet || row.codelet == &ownership_codelet || row.codelet == &collect_codelet;
}

/// What a row of the table reads in the lab. The pipeline submits the operations of the phase `segment` when it has
/// seen which cells of the tile are glass; so those that see the pixels alone read `cells` too.
Names reads_of(const SegmentationOperation& row) {
  Names names;
  for (const Buffer buffer : row.reads)
    if (!is_of_run(buffer)) names.push_back(name_of(buffer));
  if (row.phase == Phase::segment && names == Names{"rgb"}) names.emplace_back("cells");
  return names;
}

Names writes_of(const SegmentationOperation& row) {
  Names names;
  for (const Buffer buffer : row.writes) names.push_back(name_of(buffer));
  return names;
}

Names names_of(const WorkloadModel& model, const std::vector<unsigned>& numbers) {
  Names names;
  for (const unsigned number : numbers) names.push_back(model.data[number].name);
  return names;
}

class LabStagesOfToday : public testing::TestWithParam<Shipped> {};

TEST_P(LabStagesOfToday, AreThePipelinesTable) {
  const WorkloadModel model = workload(GetParam().workload);
  auto task = model.kinds.begin();
  for (const SegmentationOperation& row : kStageGraph) {
    if (is_left_out(row.operation, FamilySet(), Normalised::nothing, GetParam().detection)) continue;
    ASSERT_NE(task, model.kinds.end()) << row.name;
    EXPECT_EQ(task->name, row.name);
    EXPECT_EQ(names_of(model, task->reads), reads_of(row)) << row.name;
    EXPECT_EQ(names_of(model, task->writes), writes_of(row)) << row.name;
    EXPECT_EQ(task->gpu.has_value(), !is_for_cores_only(row)) << row.name;
    ++task;
  }
  EXPECT_EQ(task, model.kinds.end()) << task->name << " is no operation of the pipeline";
}

TEST_P(LabStagesOfToday, HaveThePipelinesSizes) {
  constexpr double kPixels = 4096 * 4096, kNuclei = 8330;  // of a tile, as the file says
  const WorkloadModel model = workload(GetParam().workload);
  for (const TileData& piece : model.data) {
    const auto buffer = static_cast<Buffer>(std::ranges::find(kBufferNames, piece.name) - kBufferNames.begin());
    ASSERT_LT(static_cast<std::size_t>(buffer), kBufferCount) << piece.name;
    const auto family = family_of(buffer);
    const double bytes = family ? static_cast<double>(columns_of(*family) * sizeof(double)) * kNuclei
                                : static_cast<double>(bytes_per_pixel(buffer)) * kPixels;
    if (bytes > 0)
      EXPECT_NEAR(piece.megabytes, bytes * 1e-6, .01 * bytes * 1e-6) << piece.name;
    else
      EXPECT_LT(piece.megabytes, 1) << piece.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Segmentation, LabStagesOfToday, testing::ValuesIn(kShipped), [](const auto& one) {
  return one.param.detection == Detection::learned ? "learned" : "levels";
});

}  // namespace
}  // namespace starpath::lab
