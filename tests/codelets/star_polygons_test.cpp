// Polygons of StarDist: by hand, the CPU kernel against the reference, and tiles against the whole.
#include "codelets/kernels/star_polygons.hpp"

#include <cmath>
#include <map>
#include <set>

#include "base/pure/random.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

using namespace support;
using Numbers = Image<std::int32_t>;

constexpr int kRays = 16;

/// Candidates with a memory of their own.
struct StarField {
  int directions = kRays;
  std::vector<StarPoint> points;
  std::vector<std::uint16_t> rays;

  /// At a point in pixels, with rays in pixels.
  void add(double x, double y, double probability, const std::vector<double>& lengths) {
    points.push_back({probability, std::llround(x * kStarUnit), std::llround(y * kStarUnit)});
    for (const double length : lengths) rays.push_back(static_cast<std::uint16_t>(std::lround(length * kStarUnit)));
  }
  void add_disc(double x, double y, double probability, double radius) {
    add(x, y, probability, std::vector<double>(static_cast<std::size_t>(directions), radius));
  }
  Stars stars() const { return {points, rays, directions}; }
};

template <class Kernel>
Numbers numbers_of(Kernel kernel, const StarField& field, int width, int height, double most_overlap = .3, int x = 0,
                   int y = 0) {
  Numbers numbers(width, height, 3, -7);
  kernel(TestContext(), field.stars(), most_overlap, x, y, numbers.view());
  EXPECT_TRUE(numbers.padding_intact());
  return numbers;
}

std::map<std::int32_t, int> areas_of(const Numbers& numbers) {
  std::map<std::int32_t, int> areas;
  for (int y = 0; y < numbers.height(); ++y)
    for (int x = 0; x < numbers.width(); ++x)
      if (numbers.at(x, y) != 0) ++areas[numbers.at(x, y)];
  return areas;
}

/// Of four rays that begin in the middle of a pixel.
StarField diamonds(const std::vector<std::array<double, 3>>& places, double radius) {
  StarField field;
  field.directions = 4;
  for (const auto& [x, y, probability] : places) field.add_disc(x + .5, y + .5, probability, radius);
  return field;
}

/// Points of a lattice with what a network tells of discs that hardly touch: most sure in their middles.
StarField nuclei(std::uint64_t seed, int width, int height, int step) {
  SplitMix64 random(seed);
  const auto part = [&random] { return static_cast<double>(random.next() >> 40) / double{1 << 24}; };
  struct Disc {
    double x, y, radius;
  };
  std::vector<Disc> discs;
  for (int i = 0; i < width * height / 150; ++i) discs.push_back({part() * width, part() * height, 3 + 5 * part()});
  StarField field;
  for (int y = 0; y < height; y += step)
    for (int x = 0; x < width; x += step)
      for (const Disc& disc : discs) {
        const double away = std::hypot(x + .5 - disc.x, y + .5 - disc.y);
        if (away >= .8 * disc.radius) continue;
        std::vector<double> rays;
        for (int k = 0; k < kRays; ++k) rays.push_back(disc.radius - away / 2 + part());
        field.add(x + .5, y + .5, 1 - away / disc.radius + .1 * part(), rays);
        break;
      }
  return field;
}

/// Where each is more sure than all to the left of it: the fate of the left ones depends on the right border.
StarField slope(int width, int height, double rise) {
  StarField field;
  for (int y = 3; y < height; y += 5)
    for (int x = 2; x < width; x += 3) field.add_disc(x + .5, y + .5, .5 + rise * x, 5 + (x + y) % 3);
  return field;
}

using StarKernel = void (*)(const KernelContext&, const Stars&, double, std::int64_t, std::int64_t, View<std::int32_t>);

class StarPolygons : public ::testing::TestWithParam<StarKernel> {};

TEST_P(StarPolygons, HoldThePixelsWhoseCentresAreInside) {
  const Numbers numbers = numbers_of(GetParam(), diamonds({{4, 3, .9}}, 2.5), 9, 7);
  const Numbers expected{{0, 0, 0, 0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0}, {0, 0, 0, 1, 1, 1, 0, 0, 0},
                         {0, 0, 1, 1, 1, 1, 1, 0, 0}, {0, 0, 0, 1, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 1, 0, 0, 0, 0},
                         {0, 0, 0, 0, 0, 0, 0, 0, 0}};
  EXPECT_TRUE(same(expected, numbers));
  StarField disc;
  disc.directions = 32;
  disc.add_disc(30.25, 29.75, .9, 20);
  EXPECT_NEAR(areas_of(numbers_of(GetParam(), disc, 60, 60))[1], 32 / 2 * std::sin(2 * 3.14159265 / 32) * 400, 12);
}

TEST_P(StarPolygons, RaysTurnFromTheRightToBelow) {
  StarField field;
  field.directions = 4;
  field.add(8.5, 8.5, 1, {6.5, 3.5, 2.5, 1.5});
  const Numbers numbers = numbers_of(GetParam(), field, 17, 17);
  const auto is_inside = [&](int x, int y) { return numbers.at(x, y) == 1; };
  EXPECT_TRUE(is_inside(14, 8) && !is_inside(15, 8));
  EXPECT_TRUE(is_inside(8, 11) && !is_inside(8, 12));
  EXPECT_TRUE(is_inside(6, 8) && !is_inside(5, 8));
  EXPECT_TRUE(is_inside(8, 7) && !is_inside(8, 6));
}

TEST_P(StarPolygons, AreSuppressedByMoreProbableOnesThatTheyOverlap) {
  // Diamonds of 25 pixels; 3 pixels apart they share 8 of them, and 4 apart 5 (counted by hand).
  const auto found = [&](double apart, double most, double first = .9, double second = .8) {
    const StarField field = diamonds({{6, 6, first}, {6 + apart, 6, second}}, 3.5);
    return areas_of(numbers_of(GetParam(), field, 24, 14, most));
  };
  using Areas = std::map<std::int32_t, int>;
  EXPECT_EQ(found(3, .31), (Areas{{1, 25}}));
  EXPECT_EQ(found(3, .32), (Areas{{1, 25}, {2, 17}})) << "not more than";
  EXPECT_EQ(found(3, .31, .8, .9), (Areas{{2, 25}}));
  EXPECT_EQ(found(3, .32, .8, .9), (Areas{{1, 17}, {2, 25}})) << "pixels of both are the more probable one's";
  EXPECT_EQ(found(3, .31, .9, .9), (Areas{{1, 25}})) << "the left one";
  EXPECT_EQ(found(4, .2), (Areas{{1, 25}, {2, 20}}));
  EXPECT_EQ(found(4, .19), (Areas{{1, 25}}));
  // The smaller one counts, and one that is suppressed suppresses nothing.
  StarField field = diamonds({{12, 12, .9}}, 10.5);
  field.add_disc(12.5, 12.5, .8, 2.5);
  EXPECT_EQ(areas_of(numbers_of(GetParam(), field, 24, 24, .99)).size(), 1u);
  const StarField chain = diamonds({{6, 6, .7}, {9, 6, .8}, {12, 6, .9}}, 3.5);
  EXPECT_EQ(areas_of(numbers_of(GetParam(), chain, 24, 14, .3)), (Areas{{1, 24}, {3, 25}}));
}

TEST_P(StarPolygons, WithoutPixelsAreNone) {
  StarField field;
  field.add_disc(5, 5, .99, .4);
  field.add_disc(5, 5.25, .9, 3);
  field.add_disc(8, 12, .9, 0);
  const auto areas = areas_of(numbers_of(GetParam(), field, 16, 16));
  EXPECT_EQ(areas.size(), 1u);
  EXPECT_TRUE(areas.contains(2));
  EXPECT_TRUE(areas_of(numbers_of(GetParam(), StarField{}, 6, 5)).empty());
}

INSTANTIATE_TEST_SUITE_P(Backends, StarPolygons, testing::Values(&reference::star_polygons, &cpu::star_polygons));

TEST(StarPolygonsCpu, AreThoseOfTheReference) {
  SplitMix64 random(5);
  for (const int round : {0, 1, 2, 3, 4, 5}) {
    StarField field = nuclei(static_cast<std::uint64_t>(round), 130, 90, 2);
    if (round > 3) field = slope(420, 60, round == 4 ? .001 : 0);  // farther than a block sees
    if (round == 2)
      for (StarPoint& point : field.points) point.probability = std::round(4 * point.probability) / 4;
    if (round == 3)
      for (std::uint16_t& ray : field.rays)
        if (random.next() % 3 == 0) ray = static_cast<std::uint16_t>(random.next() % 600);
    const int width = round > 3 ? 420 : 130, height = round > 3 ? 60 : 90;
    const Numbers expected = numbers_of(reference::star_polygons, field, width, height);
    EXPECT_TRUE(same(expected, numbers_of(cpu::star_polygons, field, width, height))) << round;
    EXPECT_GT(areas_of(expected).size(), 40u) << round;
  }
}

TEST(StarPolygonsCpu, DoNotDependOnTheOrderOfCandidates) {
  const StarField field = nuclei(9, 200, 150, 2);
  const Numbers expected = numbers_of(cpu::star_polygons, field, 200, 150);
  std::vector<std::size_t> places(field.points.size());
  for (std::size_t i = 0; i < places.size(); ++i) places[i] = i;
  Rng rng(3);
  std::ranges::shuffle(places, rng);
  StarField shuffled;
  for (const std::size_t place : places) {
    shuffled.points.push_back(field.points[place]);
    shuffled.rays.insert(shuffled.rays.end(), field.rays.begin() + static_cast<std::ptrdiff_t>(place * kRays),
                         field.rays.begin() + static_cast<std::ptrdiff_t>((place + 1) * kRays));
  }
  Numbers got = numbers_of(cpu::star_polygons, shuffled, 200, 150);
  for (int y = 0; y < 150; ++y)
    for (int x = 0; x < 200; ++x)
      if (std::int32_t& number = got.at(x, y); number != 0)
        number = static_cast<std::int32_t>(places[static_cast<std::size_t>(number - 1)] + 1);
  EXPECT_TRUE(same(expected, got));
}

/// What a tile sees that reads `margin` pixels around its own.
void expect_same_in_tile(const StarField& whole, const Numbers& expected, const std::array<int, 4>& tile) {
  constexpr int margin = kStarBlock + kStarSight, reach = 10;
  const auto [left, top, width, height] = tile;
  StarField part;
  std::vector<std::int32_t> numbers = {0};
  for (std::size_t i = 0; i < whole.points.size(); ++i) {
    const StarPoint& point = whole.points[i];
    const auto x = static_cast<int>(point.x / kStarUnit), y = static_cast<int>(point.y / kStarUnit);
    if (x < left - margin || x >= left + width + margin || y < top - margin || y >= top + height + margin) continue;
    part.points.push_back(point);
    part.rays.insert(part.rays.end(), whole.rays.begin() + static_cast<std::ptrdiff_t>(i * kRays),
                     whole.rays.begin() + static_cast<std::ptrdiff_t>((i + 1) * kRays));
    numbers.push_back(static_cast<std::int32_t>(i + 1));
  }
  const Numbers got = numbers_of(cpu::star_polygons, part, width, height, .3, left, top);
  int compared = 0;
  for (int y = reach; y < height - reach; ++y)
    for (int x = reach; x < width - reach; ++x) {
      ASSERT_EQ(numbers[static_cast<std::size_t>(got.at(x, y))], expected.at(left + x, top + y)) << x << " " << y;
      compared += got.at(x, y) != 0 ? 1 : 0;
    }
  EXPECT_GT(compared, 1000);
}

TEST(StarPolygonsCpu, AreTheSameInTilesWhereverTheyAreCut) {
  // On the slope no tile sees the border that all would depend on.
  for (const bool is_slope : {false, true}) {
    const StarField field = is_slope ? slope(900, 620, .0005) : nuclei(4, 900, 620, 2);
    const Numbers whole = numbers_of(cpu::star_polygons, field, 900, 620);
    for (const std::array<int, 4>& tile : {std::array{300, 250, 200, 150}, std::array{333, 201, 97, 120},
                                           std::array{0, 0, 90, 300}, std::array{577, 391, 190, 130}})
      expect_same_in_tile(field, whole, tile);
  }
}

}  // namespace
}  // namespace starpath
