// The relief of the learned detector: markers, masks and holes by hand, the watershed on it, and the CPU kernel against
// the reference.
#include "codelets/kernels/marked_relief.hpp"

#include "codelets/kernels/watershed.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;
using Deep = Image<std::uint16_t>;

struct Relief {
  Gray objects;
  Deep depth;
};

template <class MarkedRelief>
Relief relief_of(MarkedRelief marked_relief, const Gray& nucleus, const Gray& core, int nucleus_level, int core_level,
                 int core_min_area, int hole_max_area) {
  Relief relief{Gray(nucleus.width(), nucleus.height(), 3, 9), Deep(nucleus.width(), nucleus.height(), 3, 9)};
  marked_relief(TestContext(), nucleus.view(), core.view(), nucleus_level, core_level, core_min_area, hole_max_area,
                relief.objects.view(), relief.depth.view());
  return relief;
}

TEST(MarkedRelief, HoldsWhatHasAMarker) {
  const Gray nucleus{{10, 200, 0, 200, 30, 200}, {10, 200, 0, 0, 0, 0}};
  const Gray core{{0, 0, 0, 90, 80, 0}, {0, 100, 0, 0, 0, 90}};
  // Only the object on the left holds a core of 95.
  const Relief relief = relief_of(reference::marked_relief, nucleus, core, 100, 95, 1, 1);
  EXPECT_TRUE(same(mask_of({".#....", ".#...."}), relief.objects));
  EXPECT_TRUE(same(Deep{{0, 201, 0, 0, 0, 0}, {0, kMarkerDepth, 0, 0, 0, 0}}, relief.depth));
  const Relief all = relief_of(reference::marked_relief, nucleus, core, 100, 90, 1, 1);
  EXPECT_TRUE(same(mask_of({".#.#.#", ".#...#"}), all.objects));
  EXPECT_TRUE(same(Deep{{0, 201, 0, kMarkerDepth, 0, 201}, {0, kMarkerDepth, 0, 0, 0, kMarkerDepth}}, all.depth));
  // The core in the last column is in no nucleus pixel, but belongs to the object. No marker has two pixels.
  EXPECT_TRUE(same(Gray(6, 2), relief_of(reference::marked_relief, nucleus, core, 100, 90, 2, 1).objects));
}

TEST(MarkedRelief, FillsSmallHoles) {
  const Gray nucleus{{200, 200, 200, 200}, {200, 0, 0, 200}, {200, 200, 200, 200}};
  const Gray core{{255, 0, 0, 0}, {0, 3, 4, 0}, {0, 0, 0, 0}};
  EXPECT_TRUE(same(mask_of({"####", "#..#", "####"}),
                   relief_of(reference::marked_relief, nucleus, core, 100, 200, 1, 2).objects));
  const Relief filled = relief_of(reference::marked_relief, nucleus, core, 100, 200, 1, 3);
  EXPECT_TRUE(same(mask_of({"####", "####", "####"}), filled.objects));
  EXPECT_EQ(filled.depth.at(1, 1), 4);
  EXPECT_EQ(filled.depth.at(2, 1), 5);
}

TEST(MarkedRelief, HasNoOtherMaximaThanMarkers) {
  // A second hill, of 150, without a marker: it is flooded up to the saddle of 120.
  const Gray nucleus{{110, 120, 150, 150, 120, 255}};
  const Gray core{{0, 0, 0, 0, 0, 200}};
  EXPECT_TRUE(same(Deep{{111, 121, 121, 121, 121, kMarkerDepth}},
                   relief_of(reference::marked_relief, nucleus, core, 100, 200, 1, 1).depth));
}

TEST(MarkedRelief, PartsNucleiWhereScoresAreLowest) {
  const Gray nucleus{{200, 200, 200, 180, 200, 200}};
  const Gray core{{250, 250, 100, 90, 100, 250}};
  const Relief relief = relief_of(reference::marked_relief, nucleus, core, 100, 200, 1, 1);
  Gray nuclei(6, 1);
  reference::watershed(TestContext(), relief.objects.view(), relief.depth.view(), nuclei.view());
  EXPECT_TRUE(same(mask_of({"####.#"}), nuclei));
}

TEST(MarkedRelief, CpuEqualsReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    for (const int kind : {0, 1, 2}) {
      const Gray nucleus =
          kind == 0 ? noise<std::uint8_t>(rng, width, height, padding, 255) : blobs(rng, width, height, padding, 7);
      const Gray core =
          kind == 2 ? blobs(rng, width, height, padding, 5) : noise<std::uint8_t>(rng, width, height, padding, 255);
      const int nucleus_level = static_cast<int>(rng() % 256), core_level = 150 + static_cast<int>(rng() % 100);
      const int least = static_cast<int>(rng() % 5), hole = static_cast<int>(rng() % 20);
      const Relief expected =
          relief_of(reference::marked_relief, nucleus, core, nucleus_level, core_level, least, hole);
      const Relief actual = relief_of(cpu::marked_relief, nucleus, core, nucleus_level, core_level, least, hole);
      EXPECT_TRUE(same(expected.objects, actual.objects));
      EXPECT_TRUE(same(expected.depth, actual.depth));
    }
  });
}

}  // namespace
}  // namespace starpath
