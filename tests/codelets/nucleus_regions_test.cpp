// Masks of nuclei and rings: one worked out by hand, and the CPU's kernel against the reference.
#include "codelets/kernels/nucleus_regions.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/images.hpp"
#include "tests/support/feature_kernels.hpp"
#include "tests/support/objects.hpp"

namespace starpath {
namespace {

using support::Image;
using support::kCpuFeatures;
using support::kReferenceFeatures;
using support::Masks;

TEST(NucleusRegions, OfTwoPixelsInASmallImage) {
  const Image<std::int32_t> labels = {{0, 1, 0}, {0, 0, 2}};
  const Masks masks = support::masks_of(kReferenceFeatures, labels, support::boxes_of(labels), {1, 0}, 4);
  EXPECT_EQ(masks.places, (std::vector<MaskPlace>{0, kNoMasks}));
  // Bit 3 is the first pixel of a row. Two rows of the nucleus, then two of its ring.
  EXPECT_EQ(masks.words, (std::vector<std::uint64_t>{0b010000, 0, 0b101000, 0b011000}));
}

TEST(NucleusRegions, HaveAPlaceWhileThereIsRoom) {
  const std::vector<ObjectBox> boxes = {
      {50, 50, 51, 51, 1, 50, 50, 50, 50}, {20, 20, 90, 21, 70, 20, 20, 0, 0}, {10, 10, 11, 11, 1, 10, 10, 10, 10}};
  std::vector<MaskPlace> places(3);
  place_masks(boxes, std::vector<std::uint8_t>{1, 1, 1}, 100, 100, 110, places);
  // 17 rows of one word, twice; the second would take 17 rows of two words, twice.
  EXPECT_EQ(places, (std::vector<MaskPlace>{0, 34, kNoMasks}));
  place_masks(boxes, std::vector<std::uint8_t>{1, 1, 1}, 100, 100, 90, places);
  EXPECT_EQ(places, (std::vector<MaskPlace>{0, kNoMasks, 34}));
}

TEST(NucleusRegions, CpuEqualsReference) {
  support::for_awkward_sizes([](support::Rng& rng, int width, int height, int padding) {
    const Image<std::int32_t> labels = support::random_labels(rng, width, height, padding);
    const auto boxes = support::boxes_of(labels);
    std::vector<std::uint8_t> wanted(boxes.size());
    for (auto& each : wanted) each = rng() % 3 == 0 ? 0 : 1;
    for (const std::size_t words : {20'000, 150}) {
      const Masks expected = support::masks_of(kReferenceFeatures, labels, boxes, wanted, words);
      const Masks actual = support::masks_of(kCpuFeatures, labels, boxes, wanted, words);
      ASSERT_EQ(expected.words, actual.words) << words;
    }
  });
}

}  // namespace
}  // namespace starpath
