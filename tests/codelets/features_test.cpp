// Operation 11: the reference on pictures small enough to work out by hand, the CPU kernels against the reference.
#include "codelets/kernels/features.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string_view>
#include <vector>

#include "codelets/kernels/stain_vectors.hpp"
#include "support/images.hpp"
#include "tests/support/feature_kernels.hpp"
#include "tests/support/objects.hpp"

namespace starpath {
namespace {

using support::boxes_of;
using support::FeatureKernels;
using support::Image;
using support::kCpuFeatures;
using support::kReferenceFeatures;
using support::random_labels;
using support::random_tissue;
using support::Rng;

using Labels = Image<std::int32_t>;

constexpr double kNothing = -7;
constexpr std::size_t kPlentyOfWords = 100'000;

/// Feature rows of every object, with kNothing in what was not written.
Image<double> rows_of(const FeatureKernels& kernels, const Image<Rgb>& rgb, const Labels& labels,
                      const std::vector<std::uint8_t>& wanted = {}, const StainAmountTable& stains = kStainAmountTable,
                      std::size_t words = kPlentyOfWords) {
  const std::vector<ObjectBox> boxes = boxes_of(labels);
  const std::vector<std::uint8_t> all(boxes.size(), 1);
  return support::all_rows(kernels, rgb, labels, boxes, wanted.empty() ? all : wanted, stains, kNothing, words);
}

/// Rows of both backends, which must be the same to the last bit and finite.
Image<double> checked_rows(const Image<Rgb>& rgb, const Labels& labels) {
  const Image<double> expected = rows_of(kReferenceFeatures, rgb, labels);
  const Image<double> actual = rows_of(kCpuFeatures, rgb, labels);
  // Objects are found anew where their masks had no room.
  const Image<double> without_masks = rows_of(kCpuFeatures, rgb, labels, {}, kStainAmountTable, 0);
  EXPECT_EQ(actual.elements(), without_masks.elements());
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < kFeatureCount; ++x) {
      const auto name = kFeatureNames[static_cast<std::size_t>(x)];
      EXPECT_TRUE(std::isfinite(expected.at(x, y))) << name << " of object " << y + 1;
      EXPECT_EQ(expected.at(x, y), actual.at(x, y)) << name << " of object " << y + 1;
    }
  return expected;
}

double feature(const Image<double>& table, std::string_view name, int label = 1) {
  const auto column = std::ranges::find(kFeatureNames, name) - kFeatureNames.begin();
  return table.at(static_cast<int>(column), label - 1);
}

Image<Rgb> gray_picture(std::initializer_list<std::initializer_list<int>> rows) {
  Image<Rgb> image(static_cast<int>(rows.begin()->size()), static_cast<int>(rows.size()));
  int y = 0;
  for (const auto& row : rows) {
    int x = 0;
    for (const int v : row) {
      const auto c = static_cast<std::uint8_t>(v);
      image.at(x++, y) = {c, c, c};
    }
    ++y;
  }
  return image;
}

const Labels kMiddleOf5x5 = {{0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, {0, 0, 0, 0, 0}};

TEST(Features, OfAStepBesideAOnePixelNucleus) {
  const auto rgb = gray_picture({{0, 0, 255, 255, 255},
                                 {0, 0, 255, 255, 255},
                                 {0, 0, 255, 255, 255},
                                 {0, 0, 255, 255, 255},
                                 {0, 0, 255, 255, 255}});
  const auto t = checked_rows(rgb, kMiddleOf5x5);
  EXPECT_EQ(feature(t, "nucleus_area"), 1);
  EXPECT_EQ(feature(t, "cytoplasm_area"), 24);
  EXPECT_EQ(feature(t, "nucleus_gray_mean"), 255);
  EXPECT_EQ(feature(t, "nucleus_gray_std"), 0);
  EXPECT_EQ(feature(t, "cytoplasm_gray_mean"), 255 * 14 / 24.0);
  EXPECT_EQ(feature(t, "cytoplasm_gray_energy"), (14 * 14 + 10 * 10) / (24.0 * 24));
  // The differences beside the step are 255: half of it rounds to 128 in two columns.
  EXPECT_EQ(feature(t, "nucleus_gray_gradient_mean"), 128);
  EXPECT_EQ(feature(t, "cytoplasm_gray_gradient_mean"), 9 * 128 / 24.0);
  // Strengths along a row are 16 * (255, 765, 765, 255, 0): the left one of the two equal maxima is the edge.
  EXPECT_EQ(feature(t, "nucleus_gray_canny_count"), 0);
  EXPECT_EQ(feature(t, "cytoplasm_gray_canny_count"), 5);
  EXPECT_EQ(feature(t, "cytoplasm_gray_canny_mean"), 255 * 5 / 24.0);
  EXPECT_EQ(feature(t, "cytoplasm_gray_sobel_count"), 0);
  // One pixel has no pair. The ring has 20 + 20 + 16 + 16 pairs less the 8 of its missing pixel; 13 less 3 cross the
  // step.
  EXPECT_EQ(feature(t, "nucleus_gray_haralick_energy"), 0);
  EXPECT_DOUBLE_EQ(feature(t, "cytoplasm_gray_haralick_contrast"), 49 * 10 / 64.0);
}

TEST(Features, SobelCountsPositiveResponses) {
  // A quadrant: the response is the product of two step responses, positive everywhere; its mirror image is negative.
  const auto positive =
      gray_picture({{9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}, {9, 9, 99, 99, 99}, {9, 9, 99, 99, 99}, {9, 9, 99, 99, 99}});
  const auto negative =
      gray_picture({{9, 9, 99, 99, 99}, {9, 9, 99, 99, 99}, {9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}, {9, 9, 9, 9, 9}});
  const auto p = checked_rows(positive, kMiddleOf5x5), n = checked_rows(negative, kMiddleOf5x5);
  EXPECT_EQ(feature(p, "nucleus_gray_sobel_count"), 1);
  EXPECT_EQ(feature(p, "cytoplasm_gray_sobel_count"), 24);
  EXPECT_EQ(feature(n, "nucleus_gray_sobel_count"), 0);
  EXPECT_EQ(feature(n, "cytoplasm_gray_sobel_count"), 0);
}

TEST(Features, CannyKeepsWeakPixelsThatReachAStrongOne) {
  // Only the first column differs. |dx| in the middle column is 96 less the smoothing weight of the lower rows, and
  // |dy| adds 0, 1, 3, 3, 1: the strengths are 96, 96, 94 (strong), 88, 82 (weak). Nothing else comes near 70.
  const auto rgb =
      gray_picture({{8, 8, 9, 10, 10}, {8, 8, 9, 10, 10}, {8, 8, 9, 10, 10}, {9, 8, 9, 10, 10}, {9, 8, 9, 10, 10}});
  const Labels whole(5, 5, 0, 1);
  const auto t = checked_rows(rgb, whole);
  EXPECT_EQ(feature(t, "cytoplasm_area"), 0);
  EXPECT_EQ(feature(t, "cytoplasm_gray_mean"), 0);
  EXPECT_EQ(feature(t, "nucleus_gray_canny_count"), 5);
  // The lower rows as an object of their own have no strong pixel and thus no edge.
  Labels halves = whole;
  for (int x = 0; x < 5; ++x) halves.at(x, 3) = halves.at(x, 4) = 2;
  const auto split = checked_rows(rgb, halves);
  EXPECT_EQ(feature(split, "nucleus_gray_canny_count", 1), 3);
  EXPECT_EQ(feature(split, "nucleus_gray_canny_count", 2), 0);
}

TEST(Features, RingIsARoundDiscWithoutOtherNuclei) {
  Labels labels(40, 30);
  labels.at(15, 15) = 1;
  labels.at(18, 15) = 2;  // 3 away: both lie in the other's disc
  const Image<Rgb> rgb(40, 30, 2, Rgb{200, 100, 150});
  const auto t = checked_rows(rgb, labels);
  EXPECT_EQ(feature(t, "cytoplasm_area", 1), 197 - 2);  // 197 lattice points within 8
  EXPECT_EQ(feature(t, "cytoplasm_area", 2), 197 - 2);
  for (const auto name : {"nucleus_eosin_std", "cytoplasm_eosin_entropy", "cytoplasm_gray_gradient_mean",
                          "cytoplasm_haematoxylin_canny_count", "cytoplasm_gray_haralick_correlation"})
    EXPECT_EQ(feature(t, name), 0) << name;
  EXPECT_EQ(feature(t, "cytoplasm_gray_haralick_energy"), 1);
}

TEST(Features, ShapeOfALetterL) {
  const Labels labels = {{0, 0, 0, 0}, {0, 1, 0, 0}, {0, 1, 1, 0}, {0, 0, 0, 0}};
  const auto t = checked_rows(gray_picture({{1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}, {13, 14, 15, 16}}), labels);
  // Windows: 5 with one pixel, 2 with two side by side, 1 with three.
  EXPECT_DOUBLE_EQ(feature(t, "nucleus_perimeter"), 6 * std::sqrt(0.5) + 2);
  EXPECT_EQ(feature(t, "nucleus_extent"), 0.75);
  // Moments: mxx = myy = 2/9 + 1/12, mxy = 1/9.
  EXPECT_DOUBLE_EQ(feature(t, "nucleus_major_axis"), std::sqrt(8 * (4.0 / 9 + 1.0 / 6 + 2.0 / 9)));
  EXPECT_DOUBLE_EQ(feature(t, "nucleus_minor_axis"), std::sqrt(8 * (4.0 / 9 + 1.0 / 6 - 2.0 / 9)));
  const Labels diagonal = {{1, 0}, {0, 1}};
  const auto d = checked_rows(gray_picture({{1, 2}, {3, 4}}), diagonal);
  EXPECT_DOUBLE_EQ(feature(d, "nucleus_perimeter"), 6 * std::sqrt(0.5) + std::sqrt(2));
}

TEST(Features, CpuEqualsReferenceToTheLastBit) {
  support::for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = random_tissue(rng, width, height, padding);
    checked_rows(rgb, random_labels(rng, width, height, padding + 2));
  });
}

/// Wider than the 64 pixels that the CPU's kernels look at together, at the borders and in the middle.
TEST(Features, CpuEqualsReferenceOnLargeObjects) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const int width = 260, height = 120;
  Labels labels(width, height);
  for (int x = 0; x < width; ++x) labels.at(x, 5 + x / 8) = 1;
  for (int y = 60; y < height; ++y)
    for (int x = 30; x < 200; ++x)
      if (rng() % 8 != 0) labels.at(x, y) = 2;
  for (int y = 50; y < height; ++y) labels.at(width - 1, y) = 3;
  checked_rows(random_tissue(rng, width, height, 3), labels);
}

TEST(Features, CpuEqualsReferenceOnStepsOfFullContrast) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const auto mask = support::blobs(rng, 90, 70, 0);
  Image<Rgb> rgb(90, 70, 3, Rgb{255, 255, 255});
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 90; ++x)
      if (mask.at(x, y) != 0) rgb.at(x, y) = {0, 0, 0};
  checked_rows(rgb, random_labels(rng, 90, 70, 1));
}

TEST(Features, OnlyWantedRowsAreWritten) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const Image<Rgb> rgb = support::rgb_noise(rng, 80, 60, 3);
  const Labels labels = random_labels(rng, 80, 60, 3);
  const Image<double> all = rows_of(kReferenceFeatures, rgb, labels);
  std::vector<std::uint8_t> wanted(static_cast<std::size_t>(all.height()));
  for (std::size_t i = 0; i < wanted.size(); ++i) wanted[i] = i % 3 == 1 ? 7 : 0;
  const auto check = [&](const Image<double>& some) {
    for (int y = 0; y < all.height(); ++y)
      for (int x = 0; x < kFeatureCount; ++x) {
        if (wanted[static_cast<std::size_t>(y)] != 0)
          ASSERT_EQ(some.at(x, y), all.at(x, y));
        else
          ASSERT_EQ(some.at(x, y), kNothing);
      }
  };
  check(rows_of(kReferenceFeatures, rgb, labels, wanted));
  check(rows_of(kCpuFeatures, rgb, labels, wanted));
}

TEST(Features, NoObjectIsNoWork) {
  const Image<Rgb> rgb(7, 5);
  const Labels labels(7, 5);
  EXPECT_EQ(checked_rows(rgb, labels).height(), 0);
}

TEST(Features, DependOnNothingBeyondTheirReach) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const Image<Rgb> rgb = random_tissue(rng, 110, 90, 0);
  const Labels labels = random_labels(rng, 110, 90, 0);
  const auto boxes = boxes_of(labels);
  const Image<double> whole = rows_of(kCpuFeatures, rgb, labels);
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    // Cut the object out with its reach; the image's own borders stay borders.
    const int x0 = std::max(0, boxes[i].x0 - kFeatureReach), x1 = std::min(110, boxes[i].x1 + kFeatureReach);
    const int y0 = std::max(0, boxes[i].y0 - kFeatureReach), y1 = std::min(90, boxes[i].y1 + kFeatureReach);
    Image<Rgb> part(x1 - x0, y1 - y0);
    Labels part_labels(x1 - x0, y1 - y0);
    for (int y = y0; y < y1; ++y)
      for (int x = x0; x < x1; ++x) {
        part.at(x - x0, y - y0) = rgb.at(x, y);
        const std::int32_t label = labels.at(x, y);
        part_labels.at(x - x0, y - y0) = label == 0 ? 0 : label == static_cast<std::int32_t>(i + 1) ? 1 : 2;
      }
    const Image<double> cut = checked_rows(part, part_labels);
    for (int x = 0; x < kFeatureCount; ++x)
      ASSERT_EQ(whole.at(x, static_cast<int>(i)), cut.at(x, 0)) << kFeatureNames[static_cast<std::size_t>(x)];
  }
}

TEST(Features, OfOtherStains) {
  const std::uint64_t seed = support::test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  const StainAmountTable stains = stain_amounts({{560, 720, 410}, {220, 850, 480}});
  int different = 0;
  for (int picture = 0; picture < 6; ++picture) {  // some have no object
    const Image<Rgb> rgb = random_tissue(rng, 120, 90, 3);
    const Labels labels = random_labels(rng, 120, 90, 3);
    const Image<double> expected = rows_of(kReferenceFeatures, rgb, labels, {}, stains);
    const Image<double> actual = rows_of(kCpuFeatures, rgb, labels, {}, stains);
    const Image<double> by_default = rows_of(kCpuFeatures, rgb, labels);
    for (int y = 0; y < expected.height(); ++y)
      for (int x = 0; x < kFeatureCount; ++x) {
        ASSERT_EQ(expected.at(x, y), actual.at(x, y)) << kFeatureNames[static_cast<std::size_t>(x)];
        different += actual.at(x, y) != by_default.at(x, y);
      }
  }
  EXPECT_GT(different, 0);
}

}  // namespace
}  // namespace starpath
