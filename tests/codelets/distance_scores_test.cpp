// The scores of HoVer-Net's maps: by hand, and the CPU kernel against the reference.
#include "codelets/kernels/distance_scores.hpp"

#include "base/pure/random.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;
using Colours = Image<Rgb>;

struct NucleusScores {
  Gray nucleus, inside;
};

template <class Kernel>
NucleusScores nucleus_scores_of(Kernel kernel, const Colours& maps) {
  NucleusScores scores{Gray(maps.width(), maps.height(), 3, 9), Gray(maps.width(), maps.height(), 3, 9)};
  kernel(TestContext(), maps.view(), scores.nucleus.view(), scores.inside.view());
  return scores;
}

/// Two nuclei side by side, of 12 pixels each: the horizontal distance rises in each, and falls between them.
Colours two_nuclei(bool across) {
  Colours maps(24, 24);
  for (int y = 0; y < 24; ++y)
    for (int x = 0; x < 24; ++x) {
      const int at = (across ? x : y) % 12;
      const auto distance = static_cast<std::uint8_t>(1 + at * 254 / 11);
      maps.at(x, y) = across ? Rgb{250, distance, 128} : Rgb{250, 128, distance};
    }
  return maps;
}

TEST(DistanceScores, AreLowWhereADistanceFalls) {
  for (const bool across : {true, false}) {
    const NucleusScores scores = nucleus_scores_of(reference::distance_scores, two_nuclei(across));
    for (int i = 0; i < 24; ++i) {
      const int x = across ? i : 7, y = across ? 7 : i;
      EXPECT_EQ(scores.nucleus.at(x, y), 250);
      if (i == 11 || i == 12) {
        EXPECT_LT(scores.inside.at(x, y), 100) << i;
      } else if (i < 8 || i > 15) {
        EXPECT_EQ(scores.inside.at(x, y), 250) << i;
      }
    }
  }
}

TEST(DistanceScores, FallsHaveAFixedScale) {
  EXPECT_EQ(fall_of(5), 0);
  EXPECT_EQ(fall_of(-254 * kDistanceUnit), 255);
  EXPECT_EQ(fall_of(-127 * kDistanceUnit), 127);
  EXPECT_EQ(fall_of(-1000 * kDistanceUnit), 255);
  std::int64_t smooth = 0, rise = 0;
  for (std::size_t i = 0; i < kDistanceSmoothing.size(); ++i) {
    smooth += kDistanceSmoothing[i];
    if (kDistanceDerivative[i] > 0) rise += kDistanceDerivative[i];
  }
  EXPECT_EQ(smooth * rise, kDistanceUnit);
}

TEST(DistanceScores, OfTheCpuAreThoseOfTheReference) {
  SplitMix64 random(3);
  for (const auto& [width, height] : {std::pair{1, 1}, {3, 2}, {37, 23}, {64, 5}, {5, 64}}) {
    Colours maps(width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const std::uint64_t bits = random.next();
        maps.at(x, y) = {static_cast<std::uint8_t>(bits), static_cast<std::uint8_t>(bits >> 8),
                         static_cast<std::uint8_t>(bits >> 16)};
      }
    const NucleusScores expected = nucleus_scores_of(reference::distance_scores, maps),
                        got = nucleus_scores_of(cpu::distance_scores, maps);
    EXPECT_TRUE(same(expected.nucleus, got.nucleus));
    EXPECT_TRUE(same(expected.inside, got.inside));
  }
}

}  // namespace
}  // namespace starpath
