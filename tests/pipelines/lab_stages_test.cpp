// The lab's stages of the segmentation beside the pipeline's.
#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
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

}  // namespace
}  // namespace starpath::lab
