// Operation 9: basins, separations and what they must never do.
#include "codelets/kernels/watershed.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using support::Image;
using support::mask_of;
using support::Rng;
using support::same;
using Mask = Image<std::uint8_t>;
using Depth = Image<std::uint16_t>;

TEST(WatershedReference, SeparatesTwoMaximaByThePixelsOfTheLaterBasin) {
  support::TestContext context;
  Mask nuclei(5, 1);
  const auto objects = mask_of({"#####"});
  // The saddle joins the deeper neighbour, then the later basin gives way: by the saddle or by its own pixel.
  reference::watershed(context, objects.view(), Depth({{5, 4, 1, 3, 4}}).view(), nuclei.view());
  EXPECT_TRUE(same(mask_of({"###.#"}), nuclei));
  reference::watershed(context, objects.view(), Depth({{4, 3, 1, 4, 5}}).view(), nuclei.view());
  EXPECT_TRUE(same(mask_of({"##.##"}), nuclei));
}

TEST(WatershedReference, LeavesOneBasinWhole) {
  support::TestContext context;
  Mask nuclei(3, 3);
  const auto objects = mask_of({"###", "###", "##."});
  // Two pieces of one plateau, joined below only by the plateau itself, and a step that is no maximum.
  reference::watershed(context, objects.view(), Depth({{7, 2, 7}, {7, 7, 7}, {2, 2, 0}}).view(), nuclei.view());
  EXPECT_TRUE(same(objects, nuclei));
}

TEST(WatershedReference, TreatsObjectsApart) {
  support::TestContext context;
  Mask nuclei(5, 1);
  const auto objects = mask_of({"##.##"});
  reference::watershed(context, objects.view(), Depth({{1, 2, 9, 2, 1}}).view(), nuclei.view());
  EXPECT_TRUE(same(objects, nuclei));
}

TEST(WatershedReference, BreaksTiesInRasterOrder) {
  support::TestContext context;
  Mask nuclei(3, 1);
  // The middle goes to the left basin, which comes first; the right one would be empty next to it, and is.
  reference::watershed(context, mask_of({"###"}).view(), Depth({{6, 2, 6}}).view(), nuclei.view());
  EXPECT_TRUE(same(mask_of({"##."}), nuclei));
}

Depth relief_of(Rng& rng, int width, int height, int padding, unsigned levels) {
  Depth depth = support::noise<std::uint16_t>(rng, width, height, padding, levels - 1);
  if (levels > 100) return depth;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) depth.at(x, y) = static_cast<std::uint16_t>(65535 - depth.at(x, y));
  return depth;
}

TEST(Watershed, CpuMatchesTheReferenceOnAnyRelief) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    for (const unsigned levels : {1U, 3U, 65536U}) {
      const Depth depth = relief_of(rng, width, height, padding, levels);
      support::for_mask_kinds(rng, width, height, padding, [&](const Mask& objects) {
        Mask expected(width, height, padding), actual(width, height, padding);
        reference::watershed(context, objects.view(), depth.view(), expected.view());
        cpu::watershed(context, objects.view(), depth.view(), actual.view());
        ASSERT_TRUE(same(expected, actual)) << levels << " levels";
      });
    }
  });
}

struct Split {
  Mask objects, nuclei;
  Depth depth;
};

Split split(const KernelContext& context, const Mask& selected) {
  Split s{selected, selected, Depth(selected.width(), selected.height())};
  cpu::pre_watershed(context, selected.view(), kPaperPixels.clump_min_area, kPaperPixels.grow_steps,
                     kPaperPixels.smooth_steps, kPaperPixels.split_depth, s.objects.view(), s.depth.view());
  cpu::watershed(context, s.objects.view(), s.depth.view(), s.nuclei.view());
  return s;
}

TEST(Watershed, CpuMatchesTheReferenceOnReliefsOfDistances) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    support::for_mask_kinds(rng, width, height, padding, [&](const Mask& mask) {
      const Split s = split(context, mask);
      Mask expected(width, height, padding);
      reference::watershed(context, s.objects.view(), s.depth.view(), expected.view());
      ASSERT_TRUE(same(expected, s.nuclei));
    });
  });
}

/// Labels of the regional maxima of `depth` in the objects; returns how many.
std::int32_t regional_maxima(const Split& s, Image<std::int32_t>& markers) {
  support::TestContext context;
  const int width = s.objects.width(), height = s.objects.height();
  Mask candidates(width, height);
  Image<std::int32_t> plateaus(width, height);
  std::int32_t count = 0, maxima = 0;
  // Levels one by one: a plateau is a component of its level.
  std::vector<bool> seen(65536, false);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (s.objects.at(x, y) != 0) seen[s.depth.at(x, y)] = true;
  for (unsigned level = 0; level < 65536; ++level) {
    if (!seen[level]) continue;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        candidates.at(x, y) = s.objects.at(x, y) != 0 && s.depth.at(x, y) == level ? 255 : 0;
    reference::label_components(context, candidates.view(), Connectivity::eight, plateaus.view(), &count);
    std::vector<bool> deeper_beside(static_cast<std::size_t>(count) + 1, false);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (int ny = std::max(0, y - 1); ny < std::min(height, y + 2); ++ny)
          for (int nx = std::max(0, x - 1); nx < std::min(width, x + 2); ++nx)
            if (s.objects.at(nx, ny) != 0 && s.depth.at(nx, ny) > level)
              deeper_beside[static_cast<std::size_t>(plateaus.at(x, y))] = true;
    std::vector<std::int32_t> number(static_cast<std::size_t>(count) + 1, 0);
    for (std::size_t i = 1; i < number.size(); ++i)
      if (!deeper_beside[i]) number[i] = ++maxima;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        if (plateaus.at(x, y) != 0) markers.at(x, y) = number[static_cast<std::size_t>(plateaus.at(x, y))];
  }
  return maxima;
}

/// On reliefs of distances every basin keeps a pixel of its own, and no two basins stay connected: there are as many
/// nuclei in the end as regional maxima, each with the pixels of one.
TEST(Watershed, EveryBasinOfDistancesKeepsItsMarkerApartFromAllOthers) {
  support::TestContext context;
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  int basins_seen = 0;
  for (int round = 0; round < 8; ++round) {
    const int width = 60 + 17 * round, height = 90 - 7 * round;
    const Split s = split(context, support::blobs(rng, width, height, 3));
    Image<std::int32_t> markers(width, height), nuclei(width, height);
    const std::int32_t maxima = regional_maxima(s, markers);
    std::int32_t count = 0;
    reference::label_components(context, s.nuclei.view(), Connectivity::eight, nuclei.view(), &count);
    // Which marker the pixels of each nucleus hold (0: none yet), and which markers are left somewhere.
    std::vector<std::int32_t> held(static_cast<std::size_t>(count) + 1, 0);
    std::vector<bool> left(static_cast<std::size_t>(maxima) + 1, false);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        if (nuclei.at(x, y) == 0 || markers.at(x, y) == 0) continue;
        std::int32_t& marker = held[static_cast<std::size_t>(nuclei.at(x, y))];
        EXPECT_TRUE(marker == 0 || marker == markers.at(x, y)) << "two basins are connected at " << x << "," << y;
        marker = markers.at(x, y);
        left[static_cast<std::size_t>(marker)] = true;
      }
    for (std::int32_t m = 1; m <= maxima; ++m) EXPECT_TRUE(left[static_cast<std::size_t>(m)]) << "basin " << m;
    basins_seen += maxima;
  }
  EXPECT_GT(basins_seen, 8);
}

TEST(Watershed, EveryObjectKeepsAPixelOnAnyRelief) {
  support::TestContext context;
  support::for_awkward_sizes([&](Rng& rng, int width, int height, int padding) {
    const Depth depth = relief_of(rng, width, height, padding, 8);
    support::for_mask_kinds(rng, width, height, padding, [&](const Mask& objects) {
      Mask nuclei(width, height, padding);
      Image<std::int32_t> labels(width, height);
      std::int32_t count = 0;
      cpu::watershed(context, objects.view(), depth.view(), nuclei.view());
      reference::label_components(context, objects.view(), Connectivity::eight, labels.view(), &count);
      std::vector<bool> left(static_cast<std::size_t>(count) + 1, false);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
          if (nuclei.at(x, y) != 0) {
            ASSERT_NE(labels.at(x, y), 0);
            left[static_cast<std::size_t>(labels.at(x, y))] = true;
          }
      for (std::int32_t i = 1; i <= count; ++i) ASSERT_TRUE(left[static_cast<std::size_t>(i)]) << "object " << i;
    });
  });
}

TEST(Watershed, DoesNotDependOnWhereAnObjectStands) {
  support::TestContext context;
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const int side = 70, margin = 2;
  for (int round = 0; round < 20; ++round) {
    Mask piece = support::blobs(rng, side, side, 0);
    for (int i = 0; i < side; ++i)
      for (int edge = 0; edge < margin; ++edge)
        piece.at(i, edge) = piece.at(edge, i) = piece.at(i, side - 1 - edge) = piece.at(side - 1 - edge, i) = 0;
    const Split alone = split(context, piece);
    std::uniform_int_distribution<int> place(0, 60);
    const int dx = place(rng), dy = place(rng);
    // A second copy beside it must not matter either.
    Mask scene(2 * side + 60, side + 60);
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) scene.at(x + dx, y + dy) = scene.at(x + side + 60, y) = piece.at(x, y);
    const Split moved = split(context, scene);
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x) {
        ASSERT_EQ(alone.depth.at(x, y), moved.depth.at(x + dx, y + dy));
        ASSERT_EQ(alone.nuclei.at(x, y), moved.nuclei.at(x + dx, y + dy));
        ASSERT_EQ(alone.nuclei.at(x, y), moved.nuclei.at(x + side + 60, y));
      }
  }
}

}  // namespace
}  // namespace starpath
