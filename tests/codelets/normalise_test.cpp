// Colour normalisation: what changes nothing, by hand, and the CPU kernel against the reference.
#include "codelets/kernels/normalise.hpp"

#include "support/colour_maps.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;

/// The map that changes nothing.
constexpr ColourMap kSameColours = [] {
  ColourMap map{};
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::size_t v = 0; v < 256; ++v) map[channel][channel][v] = static_cast<std::int32_t>(kDensityTable[v]);
  return map;
}();

TEST(Normalise, SameColoursChangeNothing) {
  for (int v = 0; v < 256; ++v) {
    const auto value = static_cast<std::uint8_t>(v), other = static_cast<std::uint8_t>(255 - v);
    const Rgb p{value, other, value}, mapped = mapped_colour(p, kSameColours);
    EXPECT_TRUE(mapped == p) << v;
  }
}

TEST(Normalise, HalfTheDensityIsTheRootOfTheLight) {
  ColourMap half = kSameColours;
  for (std::size_t channel = 0; channel < 3; ++channel)
    for (std::int32_t& density : half[channel][channel]) density /= 2;
  // (v + 1) / 255 is the light: 63 / 255 has the root 126.7 / 255, 253 / 255 the root 254 / 255.
  EXPECT_TRUE((mapped_colour({62, 254, 252}, half) == Rgb{126, 254, 253}));
}

TEST(Normalise, ChannelsMayTradePlaces) {
  ColourMap swapped{};
  for (std::size_t channel = 0; channel < 3; ++channel) swapped[channel][2 - channel] = kSameColours[0][0];
  const Image<Rgb> rgb{{{1, 2, 3}, {255, 128, 0}}};
  Image<Rgb> out(2, 1);
  reference::normalise(TestContext(), rgb.view(), swapped, out.view());
  EXPECT_TRUE(same(Image<Rgb>{{{3, 2, 1}, {0, 128, 255}}}, out));
}

TEST(Normalise, CpuEqualsReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    const ColourMap map = random_colours(rng);
    Image<Rgb> expected(width, height, padding + 1), actual(width, height, padding + 1);
    reference::normalise(TestContext(), rgb.view(), map, expected.view());
    cpu::normalise(TestContext(), rgb.view(), map, actual.view());
    EXPECT_TRUE(same(expected, actual));
  });
}

}  // namespace
}  // namespace starpath
