// Outlines: tracing and filling are inverse, parts are simple polygons.
#include "io/outlines/contour.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>

#include "tests/io/random_blobs.hpp"

namespace starpath::io {
namespace {

using testing::LabelImage;
using Runs = std::vector<PixelRun>;

LabelImage picture(const std::vector<std::string>& rows) {
  LabelImage image(static_cast<int>(rows.front().size()), static_cast<int>(rows.size()));
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      image.at(x, y) = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)] == '#';
  return image;
}

TEST(Contour, OnePixel) {
  const LabelImage image = picture({"...", ".#.", "..."});
  const Contour contour = trace_contour(image.view(), 1, 1, 1);
  EXPECT_EQ(contour, (Contour{{1, 1}, {2, 1}, {2, 2}, {1, 2}}));
  EXPECT_EQ(pixel_runs(contour), (Runs{{1, 1, 2}}));
}

TEST(Contour, VerticesOnlyWhereItTurns) {
  const LabelImage image = picture({"###", "###", "#.."});
  EXPECT_EQ(trace_contour(image.view(), 1, 0, 0), (Contour{{0, 0}, {3, 0}, {3, 2}, {1, 2}, {1, 3}, {0, 3}}));
}

TEST(Contour, DiagonalTouchIsOnePolygon) {
  const LabelImage image = picture({"#.", ".#"});
  const Contour contour = trace_contour(image.view(), 1, 0, 0);
  EXPECT_EQ(contour, (Contour{{0, 0}, {1, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}, {1, 1}, {0, 1}}));
  EXPECT_EQ(pixel_runs(contour), (Runs{{0, 0, 1}, {1, 1, 2}}));
}

TEST(Contour, AntiDiagonalTouchIsOnePolygon) {
  const LabelImage image = picture({"..#", ".#.", "#.."});
  const Contour contour = trace_contour(image.view(), 1, 2, 0);
  EXPECT_EQ(pixel_runs(contour), (Runs{{0, 2, 3}, {1, 1, 2}, {2, 0, 1}}));
}

TEST(Contour, FillsTheWholeImage) {
  const LabelImage image = picture({"##", "##"});
  EXPECT_EQ(trace_contour(image.view(), 1, 0, 0), (Contour{{0, 0}, {2, 0}, {2, 2}, {0, 2}}));
}

TEST(Contour, RefusesAPixelOfAnotherLabel) {
  const LabelImage image = picture({"#."});
  EXPECT_THROW(trace_contour(image.view(), 1, 1, 0), std::invalid_argument);
  EXPECT_THROW(trace_contour(image.view(), 1, 2, 0), std::invalid_argument);
}

Runs runs_of(LabelImage& image, std::int32_t label) {
  Runs runs;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      if (image.at(x, y) == label) {
        if (!runs.empty() && runs.back().y == y && runs.back().x1 == x) {
          ++runs.back().x1;
        } else {
          runs.push_back({y, x, x + 1});
        }
      }
  return runs;
}

TEST(Contour, TracingThenFillingGivesBackExactlyThePixels) {
  std::size_t touching = 0;
  for (std::uint32_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE(seed);
    LabelImage image = testing::random_blobs(5 + static_cast<int>(seed % 40), 37, 20 + seed % 50, seed);
    ASSERT_GT(image.count, 0);
    for (std::int32_t label = 1; label <= image.count; ++label) {
      const auto [x, y] = image.first[static_cast<std::size_t>(label - 1)];
      const Contour contour = trace_contour(image.view(), label, x, y);
      const Runs expected = runs_of(image, label);
      ASSERT_EQ(pixel_runs(contour), expected) << "label " << label;
      std::set<std::pair<int, int>> seen;
      touching += !std::all_of(contour.begin(), contour.end(), [&](Point p) { return seen.emplace(p.x, p.y).second; });
    }
  }
  EXPECT_GT(touching, 100U) << "the random objects must also touch themselves";
}

}  // namespace
}  // namespace starpath::io
