// Numbers of instances, and the nuclei that they come to: against an implementation of the definition.
#include "pipelines/segmentation/instance_labels.hpp"

#include <gtest/gtest.h>

#include <map>
#include <numeric>
#include <vector>

#include "base/pure/random.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "pipelines/segmentation/instance_maps.hpp"
#include "support/images.hpp"

namespace starpath {
namespace {

struct Plane {
  int width, height;
  std::vector<std::int32_t> pixels;
  explicit Plane(int w, int h) : width(w), height(h), pixels(static_cast<std::size_t>(w * h)) {}
  std::int32_t& at(int x, int y) { return pixels[static_cast<std::size_t>(y * width + x)]; }
  std::int32_t at(int x, int y) const { return pixels[static_cast<std::size_t>(y * width + x)]; }
  View<std::int32_t> view() { return {pixels.data(), width, height, width}; }
};

Plane plane(const std::vector<std::string>& rows) {
  Plane made(static_cast<int>(rows[0].size()), static_cast<int>(rows.size()));
  for (int y = 0; y < made.height; ++y)
    for (int x = 0; x < made.width; ++x) {
      const char c = rows[static_cast<std::size_t>(y)][static_cast<std::size_t>(x)];
      made.at(x, y) = c == '.' ? 0 : c - '0';
    }
  return made;
}

constexpr InstanceLimits kAll{1000, 0, 1 << 30};

Plane labelled(Plane numbers, const InstanceLimits& limits, std::int32_t* count = nullptr) {
  Plane labels(numbers.width, numbers.height);
  const std::int32_t n = label_instances(numbers.view(), limits, labels.view());
  if (count != nullptr) *count = n;
  return labels;
}

/// The objects of equal numbers, by growing each from its first pixel.
Plane objects_of(const Plane& numbers) {
  Plane labels(numbers.width, numbers.height);
  std::int32_t count = 0;
  for (int y = 0; y < numbers.height; ++y)
    for (int x = 0; x < numbers.width; ++x) {
      if (numbers.at(x, y) == 0 || labels.at(x, y) != 0) continue;
      std::vector<std::pair<int, int>> next = {{x, y}};
      labels.at(x, y) = ++count;
      while (!next.empty()) {
        const auto [u, v] = next.back();
        next.pop_back();
        for (int b = std::max(v - 1, 0); b <= std::min(v + 1, numbers.height - 1); ++b)
          for (int a = std::max(u - 1, 0); a <= std::min(u + 1, numbers.width - 1); ++a)
            if (numbers.at(a, b) == numbers.at(x, y) && labels.at(a, b) == 0) {
              labels.at(a, b) = count;
              next.emplace_back(a, b);
            }
      }
    }
  return labels;
}

/// The definition, object by object on whole planes.
Plane oracle(const Plane& numbers, const InstanceLimits& limits) {
  Plane labels = objects_of(numbers);
  for (bool first = true;; first = false) {
    const std::int32_t count = *std::ranges::max_element(labels.pixels);
    bool took = false;
    for (std::int32_t label = 1; label <= count; ++label) {
      int x0 = labels.width, y0 = labels.height, x1 = 0, y1 = 0, area = 0;
      for (int y = 0; y < labels.height; ++y)
        for (int x = 0; x < labels.width; ++x)
          if (labels.at(x, y) == label) {
            x0 = std::min(x0, x), x1 = std::max(x1, x + 1), y0 = std::min(y0, y), y1 = std::max(y1, y + 1), ++area;
          }
      const bool fits =
          std::max(x1 - x0, y1 - y0) <= limits.longest && area >= limits.min_area && area < limits.max_area;
      if (first && !fits) std::ranges::replace(labels.pixels, label, 0);
    }
    for (std::int32_t label = 1; label <= count; ++label) {
      std::vector<std::uint8_t> mask(labels.pixels.size()), filled(labels.pixels.size());
      std::ranges::transform(labels.pixels, mask.begin(),
                             [&](std::int32_t each) { return static_cast<std::uint8_t>(each == label ? 255 : 0); });
      reference::fill_holes4(support::TestContext(), {mask.data(), labels.width, labels.height, labels.width},
                             {filled.data(), labels.width, labels.height, labels.width});
      for (std::size_t i = 0; i < filled.size(); ++i)
        if (filled[i] != 0 && mask[i] == 0) {
          took = took || labels.pixels[i] != 0;
          labels.pixels[i] = label;
        }
    }
    labels = objects_of(labels);
    if (!took) return labels;
  }
}

TEST(InstanceLabels, NumbersObjectsInTheOrderOfTheirFirstPixels) {
  EXPECT_EQ(labelled(plane({".77..", "77.3.", "...3.", "9...3"}), kAll).pixels,
            plane({".11..", "11.2.", "...2.", "3...2"}).pixels);
}

TEST(InstanceLabels, PartsOfOneNumberThatDoNotTouchAreInstancesOfTheirOwn) {
  EXPECT_EQ(labelled(plane({"5.5", "5.5", "..."}), kAll).pixels, plane({"1.2", "1.2", "..."}).pixels);
}

TEST(InstanceLabels, NeighboursOfOtherNumbersStayApart) {
  EXPECT_EQ(labelled(plane({"1122", "1122", "3333"}), kAll).pixels, plane({"1122", "1122", "3333"}).pixels);
}

TEST(InstanceLabels, HolesAreFilledAndWhatLiesInThemVanishes) {
  std::int32_t count = 0;
  EXPECT_EQ(labelled(plane({"4444.", "4..4.", "4.64.", "4444.", "....8"}), kAll, &count).pixels,
            plane({"1111.", "1111.", "1111.", "1111.", "....2"}).pixels);
  EXPECT_EQ(count, 2);
}

TEST(InstanceLabels, OutsideOfTheLimitsIsBackground) {
  const Plane numbers = plane({"111111.22", "........2", "33..4....", "33......."});
  EXPECT_EQ(labelled(numbers, {5, 0, 100}).pixels, plane({".......11", "........1", "22..3....", "22......."}).pixels);
  EXPECT_EQ(labelled(numbers, {9, 2, 4}).pixels, plane({".......11", "........1", ".........", "........."}).pixels);
}

TEST(InstanceLabels, AreThoseOfTheDefinition) {
  SplitMix64 random(7);
  int with_holes = 0;
  for (int round = 0; round < 300; ++round) {
    Plane numbers(17, 13);
    const int kinds = 2 + round % 3;
    for (std::int32_t& pixel : numbers.pixels)
      pixel = static_cast<std::int32_t>(random.next() % static_cast<std::uint64_t>(kinds));
    const InstanceLimits limits{round % 2 == 0 ? 100 : 9, round % 5, round % 7 == 0 ? 20 : 10000};
    const Plane expected = oracle(numbers, limits);
    std::int32_t count = 0;
    ASSERT_EQ(labelled(numbers, limits, &count).pixels, expected.pixels) << round;
    EXPECT_EQ(count, *std::ranges::max_element(expected.pixels));
    with_holes += expected.pixels != objects_of(numbers).pixels;
  }
  EXPECT_GT(with_holes, 100);
}

TEST(InstanceLabels, TheHaloBoundsTheLongestInstance) {
  EXPECT_EQ(longest_instance(224), 104);
  EXPECT_GE(longest_instance(32), 8);
}

}  // namespace
}  // namespace starpath
