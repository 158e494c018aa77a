// Looks of stains: amounts in colours made of them, and maps from one look to another.
#include "pipelines/survey/stain_look.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

namespace starpath {
namespace {

constexpr StainLook kBlueish{{{720, 640, 260}, {120, 940, 300}}, 1200, 900, {238, 240, 236}};

/// A colour that holds these amounts, in units of 1 / 16.
Rgb stained(const StainLook& look, double haematoxylin, double eosin) {
  const auto length = [](const std::array<int, 3>& v) { return std::sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); };
  const auto channel = [&](std::size_t c, int white) {
    const double density = haematoxylin / 16 * look.stains.haematoxylin[c] / length(look.stains.haematoxylin) +
                           eosin / 16 * look.stains.eosin[c] / length(look.stains.eosin);
    return static_cast<std::uint8_t>(std::lround((white + 1) * std::pow(255.0, -density / 255) - 1));
  };
  return {channel(0, look.white.r), channel(1, look.white.g), channel(2, look.white.b)};
}

void expect_near(Rgb expected, Rgb actual, int tolerance) {
  EXPECT_LE(std::abs(expected.r - actual.r), tolerance);
  EXPECT_LE(std::abs(expected.g - actual.g), tolerance);
  EXPECT_LE(std::abs(expected.b - actual.b), tolerance);
}

TEST(StainLook, AmountsAreThoseThatAColourIsMadeOf) {
  for (const StainLook& look : {kReferenceLook, kBlueish}) {
    const StainAmounts found = stain_amounts_of(stained(look, 1000, 400), look.white, look.stains);
    EXPECT_NEAR(found.haematoxylin, 1000, 25);
    EXPECT_NEAR(found.eosin, 400, 25);
    const StainAmounts glass = stain_amounts_of(look.white, look.white, look.stains);
    EXPECT_EQ(glass.haematoxylin, 0);
    EXPECT_EQ(glass.eosin, 0);
  }
}

TEST(StainLook, ASlideThatLooksLikeTheReferenceStaysAsItIs) {
  const ColourMap map = colour_map(kReferenceLook, kReferenceLook);
  for (int v = 0; v < 256; v += 5) {
    const auto a = static_cast<std::uint8_t>(v), b = static_cast<std::uint8_t>(255 - v);
    expect_near({a, b, 77}, mapped_colour({a, b, 77}, map), 1);
  }
}

TEST(StainLook, EachStainGetsColourAndStrengthOfTheReference) {
  const ColourMap map = colour_map(kBlueish, kReferenceLook);
  for (const double share : {0.0, 0.3, 0.7, 1.0})
    for (const double other : {0.0, 0.5, 1.0}) {
      const auto at = [&](const StainLook& look) {
        return stained(look, share * look.haematoxylin, other * look.eosin);
      };
      expect_near(at(kReferenceLook), mapped_colour(at(kBlueish), map), 3);
    }
}

TEST(StainLook, AStrengthIsChangedByFourTimesAtMost) {
  StainLook faint = kReferenceLook;
  faint.eosin = 1;
  const Rgb colour = stained(kReferenceLook, 0, 100);
  expect_near(stained(kReferenceLook, 0, 400), mapped_colour(colour, colour_map(faint, kReferenceLook)), 2);
}

}  // namespace
}  // namespace starpath
