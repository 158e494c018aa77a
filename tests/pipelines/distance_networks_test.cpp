// Networks that give distances: scores of HoVer-Net's, and candidates of StarDist's.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "tests/pipelines/made_up_network.hpp"
#include "tests/support/distance_models.hpp"

namespace starpath {
namespace {

using test::MadeUpNetwork;
using test::network_pixels;
using test::ScoredRegion;

/// Fields of 32 px with three channels: a probability, and two distances.
NetworkDescription distance_fields(const std::string& text) {
  NetworkDescription description = parse_network_description(text, "n.toml");
  description.nucleus.output = description.second.output = "maps";
  for (int& channel : description.second.channels) ++channel;
  return description;
}

TEST(ScoredDistances, MakesScoresOfDistances) {
  const NetworkDescription description = distance_fields(support::hover_description(32, 6));
  // Nuclei of 10 pixels side by side: the horizontal distance rises in each, and falls between them.
  const auto compute = [](int channel, int x, int y, const float* input) {
    const auto at = static_cast<int>(std::lround(input[y * 32 + x] * 255));  // the place on the slide
    return channel == 0 ? .8f : channel == 1 ? -1 + static_cast<float>(at % 10) / 4.5f : 0.f;
  };
  const auto scored_in = [&](const Rect& region) {
    return test::scored(description, std::make_unique<MadeUpNetwork>(32, compute, 3), region, 130, 110);
  };
  const ScoredRegion whole = scored_in({0, 0, 130, 110});
  EXPECT_EQ(whole.nucleus_at(45, 50), 204);
  EXPECT_EQ(whole.core_at(45, 50), 204);
  EXPECT_LT(whole.core_at(49, 50), 100);
  EXPECT_LT(whole.core_at(50, 50), 100);
  const ScoredRegion part = scored_in({17, 13, 90, 80});
  const std::int64_t reach = reach_of_fields(description);
  for (std::int64_t y = 13 + reach; y < 93 - reach; ++y)
    for (std::int64_t x = 17 + reach; x < 107 - reach; ++x)
      ASSERT_EQ(part.core_at(x - 17, y - 13), whole.core_at(x, y)) << x << " " << y;
}

TEST(ScoredDistances, MakesCandidatesOfPointsAndRays) {
  const NetworkDescription description = distance_fields(support::star_description(32, 6));
  // Outputs of 16 points, each at every second pixel. Point and place tell each other.
  const auto compute = [](int channel, int x, int y, const float* input) {
    const float at = input[2 * y * 32 + 2 * x] * 255;
    if (channel == 0) return std::lround(at) % 8 == 4 ? .7f : .2f;
    return channel == 1 ? -3.f : at / 10 + static_cast<float>(channel);
  };
  const auto candidates_in = [&](const Rect& region, double longest) {
    ScoredNetwork network(description, std::make_unique<MadeUpNetwork>(16, compute, 9));
    const std::vector<Rgb> pixels = network_pixels(region);
    const auto w = static_cast<int>(region.width), h = static_cast<int>(region.height);
    return network.candidates({pixels.data(), w, h, w}, region, 130, 110, longest);
  };
  const StarCandidates whole = candidates_in({0, 0, 130, 110}, 100);
  const Stars stars = whole.stars();
  EXPECT_EQ(stars.points.size(), 16u * 55u);
  EXPECT_EQ(stars.directions, 8);
  std::set<std::array<std::int64_t, 2>> places;
  for (std::size_t i = 0; i < stars.points.size(); ++i) {
    const StarPoint& point = stars.points[i];
    const double x = static_cast<double>(point.x) / kStarUnit - .5;
    EXPECT_EQ(point.x % (8 * kStarUnit), 4 * kStarUnit + kStarUnit / 2);
    EXPECT_EQ(point.y % (2 * kStarUnit), kStarUnit / 2);
    EXPECT_EQ(stars.rays[i * 8], 0) << "a distance below 0";
    EXPECT_NEAR(stars.rays[i * 8 + 1], (x / 10 + 2) * kStarUnit, 1);
    places.insert({point.x, point.y});
  }
  EXPECT_EQ(places.size(), stars.points.size());
  const StarCandidates part = candidates_in({17, 13, 90, 80}, 100);
  EXPECT_FALSE(part.stars().points.empty());
  for (const StarPoint& point : part.stars().points) EXPECT_TRUE(places.contains({point.x, point.y}));
  // Rays of up to x / 10 + 8.
  const StarCandidates shorter = candidates_in({0, 0, 130, 110}, 14.5);
  EXPECT_EQ(shorter.stars().points.size(), 8u * 55u);
}

}  // namespace
}  // namespace starpath
