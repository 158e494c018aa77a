// The CUDA kernel of the features against the reference, to the last bit.
#include "codelets/kernels/features.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "codelets/kernels/stain_vectors.hpp"
#include "support/cuda/device.hpp"
#include "tests/support/objects.hpp"

namespace starpath {
namespace {

using namespace support;
using Labels = Image<std::int32_t>;

void expect_reference(const Image<Rgb>& rgb, const Labels& labels, const std::vector<std::uint8_t>& wanted_first,
                      const StainAmountTable& stains = kStainAmountTable) {
  const std::vector<ObjectBox> boxes = boxes_of(labels);
  std::vector<std::uint8_t> wanted(boxes.size(), 1);
  std::copy_n(wanted_first.begin(), std::min(wanted_first.size(), wanted.size()), wanted.begin());
  Image<double> expected(kFeatureCount, static_cast<int>(boxes.size()), 3, -7);
  const DeviceImage<Rgb> device_rgb(rgb);
  const DeviceImage<std::int32_t> device_labels(labels);
  const DeviceImage<double> table(expected);
  const DeviceArray<ObjectBox> device_boxes(boxes);
  const DeviceArray<std::uint8_t> device_wanted(wanted);
  const DeviceArray<StainAmountTable> device_stains({stains});
  reference::features(TestContext(), rgb.view(), labels.view(), boxes, wanted, stains, expected.view());
  DeviceContext context;
  cuda::features(context, device_rgb.view(), device_labels.view(), device_boxes.span(), device_wanted.span(),
                 *device_stains.data(), table.view());
  const Image<double> actual = table.get();
  for (int y = 0; y < expected.height(); ++y)
    for (int x = 0; x < kFeatureCount; ++x)
      ASSERT_EQ(expected.at(x, y), actual.at(x, y))
          << kFeatureNames[static_cast<std::size_t>(x)] << " of object " << y + 1;
  EXPECT_TRUE(actual.padding_intact());
}

TEST(Cuda, Features) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    expect_reference(random_tissue(rng, width, height, padding), random_labels(rng, width, height, padding + 2),
                     {1, 0, 1, 7, 0}, stain_amounts({{560, 720, 410}, {220, 850, 480}}));
  });
}

TEST(Cuda, FeaturesOfStepsOfFullContrast) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  set_order(seed);
  const auto mask = blobs(rng, 90, 70, 0);
  Image<Rgb> rgb(90, 70, 3, Rgb{255, 255, 255});
  for (int y = 0; y < 70; ++y)
    for (int x = 0; x < 90; ++x)
      if (mask.at(x, y) != 0) rgb.at(x, y) = {0, 0, 0};
  expect_reference(rgb, random_labels(rng, 90, 70, 1), {});
}

/// Objects whose surroundings do not fit the memory that most objects do with: one thin and long, one with holes.
TEST(Cuda, FeaturesOfLargeObjects) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  set_order(seed);
  const int width = 300, height = 90;
  Labels labels(width, height);
  for (int x = 3; x < width - 1; ++x) labels.at(x, 5 + x / 8) = 1;
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (labels.at(x, y) == 0 && y > 50 + x / 20 && rng() % 8 != 0) labels.at(x, y) = 2;
  for (int y = 0; y < 3; ++y) labels.at(200, y) = 3;
  // In raster order of first pixels, as labels are.
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      if (labels.at(x, y) != 0) labels.at(x, y) = labels.at(x, y) == 3 ? 1 : labels.at(x, y) + 1;
  expect_reference(random_tissue(rng, width, height, 3), labels, {});
}

TEST(Cuda, FeaturesOfNoObject) { expect_reference(Image<Rgb>(7, 5), Labels(7, 5), {}); }

}  // namespace
}  // namespace starpath
