// Networks that give probabilities: fields and scores.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>

#include "tests/pipelines/made_up_network.hpp"
#include "tests/support/onnx_model.hpp"

namespace starpath {
namespace {

using support::darkness_description;
using test::MadeUpNetwork;
using test::ScoredRegion;

/// Fields of 32 px. The 20 px in the middle are used.
NetworkDescription small_fields(Activation activation = Activation::none) {
  NetworkDescription description = parse_network_description(darkness_description(32, 6), "n.toml");
  description.nucleus.output = description.second.output = "maps";
  description.activation = activation;
  return description;
}

ScoredRegion scored(const NetworkDescription& description, int side, MadeUpNetwork::Compute compute, const Rect& region,
                    std::int64_t width, std::int64_t height) {
  return test::scored(description, std::make_unique<MadeUpNetwork>(side, std::move(compute)), region, width, height);
}

TEST(ScoredNetwork, APixelHasTheScoreOfItsFieldWhateverTheRegionIs) {
  // Depends on the place in the field and on the pixel.
  const auto compute = [](int channel, int x, int y, const float* input) {
    return .1f + static_cast<float>((x * 7 + y * 3 + channel) % 13) * .02f + input[y * 32 + x] * .3f;
  };
  const ScoredRegion whole = scored(small_fields(), 32, compute, {0, 0, 130, 110}, 130, 110);
  for (const Rect& region : {Rect{17, 13, 90, 80}, Rect{60, 40, 70, 70}, Rect{0, 50, 51, 60}}) {
    const ScoredRegion part = scored(small_fields(), 32, compute, region, 130, 110);
    const std::int64_t reach = reach_of_fields(small_fields());
    EXPECT_EQ(reach, 25);
    std::size_t compared = 0;
    for (std::int64_t y = region.y; y < region.bottom(); ++y)
      for (std::int64_t x = region.x; x < region.right(); ++x) {
        const bool inside = (x >= region.x + reach || region.x == 0) && (y >= region.y + reach || region.y == 0) &&
                            (x < region.right() - reach || region.right() == 130) &&
                            (y < region.bottom() - reach || region.bottom() == 110);
        if (!inside) continue;
        ++compared;
        ASSERT_EQ(part.nucleus_at(x - region.x, y - region.y), whole.nucleus_at(x, y)) << x << " " << y;
      }
    EXPECT_GT(compared, 500u);
  }
}

TEST(ScoredNetwork, SeesWhiteBeyondTheSlideAndScoresOfItsOwnPixels) {
  // The first field begins 6 px before the slide. Outputs say what is at their place.
  const auto red = [](int, int x, int y, const float* input) { return input[y * 32 + x]; };
  const ScoredRegion scores = scored(small_fields(), 32, red, {0, 0, 30, 30}, 30, 30);
  EXPECT_EQ(scores.nucleus_at(0, 0), 0);
  for (const int x : {1, 5, 19, 20, 29}) EXPECT_EQ(scores.nucleus_at(x, 3), score_of_probability(x / 255.)) << x;
  const auto before = [](int, int x, int y, const float* input) { return input[y * 32 + std::max(x - 3, 0)]; };
  const ScoredRegion shifted = scored(small_fields(), 32, before, {0, 0, 30, 30}, 30, 30);
  EXPECT_EQ(shifted.nucleus_at(2, 0), 255) << "white";
  EXPECT_EQ(shifted.nucleus_at(23, 0), score_of_probability(20 / 255.)) << "of the next field";
}

TEST(ScoredNetwork, OutputsMayBeSmallerThanFields) {
  const auto red = [](int, int x, int y, const float* input) { return input[(y + 5) * 32 + x + 5]; };
  const ScoredRegion scores = scored(small_fields(), 22, red, {0, 0, 30, 30}, 30, 30);
  for (const int x : {1, 5, 19, 20, 29}) EXPECT_EQ(scores.nucleus_at(x, 3), score_of_probability(x / 255.)) << x;
}

TEST(ScoredNetwork, ChannelsMayBeLast) {
  NetworkDescription description = small_fields();
  description.nucleus.channels = {20};
  for (const int channels : {21, 32}) {  // the latter are as many as rows
    for (const bool last : {false, true}) {
      SCOPED_TRACE(fmt::format("{} channels, last: {}", channels, last));
      description.channels_last = last;
      const auto green = [last](int channel, int x, int y, const float* input) {
        const int pixel = y * 32 + x;
        return channel == 20 ? input[last ? 3 * pixel + 1 : 32 * 32 + pixel] : 0.f;
      };
      const ScoredRegion scores =
          test::scored(description, std::make_unique<MadeUpNetwork>(32, green, channels, last), {0, 0, 30, 30}, 30, 30);
      EXPECT_EQ(scores.nucleus_at(3, 25), score_of_probability(25 / 255.));
      EXPECT_EQ(scores.nucleus_at(25, 3), score_of_probability(3 / 255.));
    }
  }
}

TEST(ScoredNetwork, MakesProbabilitiesOfLogits) {
  const auto logits = [](int channel, int, int, const float*) { return channel == 0 ? -1.f : .5f; };
  const ScoredRegion sigmoid = scored(small_fields(Activation::sigmoid), 32, logits, {0, 0, 20, 20}, 20, 20);
  EXPECT_EQ(sigmoid.nucleus[0], 112);
  EXPECT_EQ(sigmoid.core[0], 136);
  const ScoredRegion softmax = scored(small_fields(Activation::softmax), 32, logits, {0, 0, 20, 20}, 20, 20);
  EXPECT_EQ(softmax.nucleus[0], 104) << "e^-1 to e^.5";
  EXPECT_EQ(softmax.core[0], 152);
  NetworkDescription both = small_fields(Activation::sigmoid);
  both.nucleus.channels = {0, 1};
  const double sum = 1 / (1 + std::exp(1)) + 1 / (1 + std::exp(-.5));
  EXPECT_EQ(scored(both, 32, logits, {0, 0, 20, 20}, 20, 20).nucleus[0], score_of_probability(sum));
}

TEST(ScoredNetwork, TakesValuesInTheOrderOfTheNetwork) {
  NetworkDescription description = small_fields();
  for (const bool blue_first : {false, true}) {
    description.blue_first = blue_first;
    const auto first = [](int, int x, int y, const float* input) { return input[y * 32 + x]; };
    EXPECT_EQ(scored(description, 32, first, {0, 0, 30, 30}, 30, 30).nucleus_at(25, 2),
              score_of_probability((blue_first ? 7 : 25) / 255.));
  }
}

TEST(ScoredNetwork, RefusesWhatIsNoProbabilityAndOtherShapes) {
  const auto said = [](const NetworkDescription& description, int side, float value) -> std::string {
    try {
      scored(
          description, side, [=](int, int x, int y, const float*) { return x == 9 && y == 10 ? value : 0.f; },
          {0, 0, 20, 20}, 20, 20);
    } catch (const std::runtime_error& error) {
      return error.what();
    }
    return "nothing";
  };
  EXPECT_EQ(said(small_fields(), 32, 1.0005f), "nothing");
  EXPECT_EQ(
      said(small_fields(), 32, 1.5f),
      "its output 'maps' holds 1.5, which is no probability; if it is a logit, describe activation = \"sigmoid\" or "
      "\"softmax\" (channel 0, pixel x=3 y=4)");
  EXPECT_EQ(said(small_fields(Activation::softmax), 32, std::numeric_limits<float>::infinity()),
            "its output 'maps' holds infinity, which is no number (channel 0, pixel x=3 y=4)");
  EXPECT_NE(said(small_fields(), 18, 0).find("20 to 32 rows and columns"), std::string::npos);
  EXPECT_NE(said(small_fields(), 31, 0).find("20 to 32 rows and columns"), std::string::npos);
  NetworkDescription third = small_fields();
  third.second.channels = {2};
  EXPECT_EQ(said(third, 32, 0), "its output 'maps' is of 1x2x32x32 numbers: there is no channel 2, as described");
}

}  // namespace
}  // namespace starpath
