// The CUDA kernels of the features, and of the images that they are measured on, against the reference, to the last
// bit.
#include "codelets/kernels/features.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "codelets/kernels/stain_vectors.hpp"
#include "support/cuda/device.hpp"
#include "tests/support/feature_kernels.hpp"
#include "tests/support/objects.hpp"

namespace starpath {
namespace {

using namespace support;
using Labels = Image<std::int32_t>;

constexpr FeatureKernels kCudaFeatures{
    cuda::colour_deconvolution,
    cuda::nucleus_regions,
    cuda::shape_features,
    {cuda::intensity_features, cuda::gradient_features, cuda::edge_features, cuda::texture_features}};

void expect_reference(const Image<Rgb>& rgb, const Labels& labels, const std::vector<std::uint8_t>& wanted_first,
                      const StainAmountTable& stains = kStainAmountTable) {
  const std::vector<ObjectBox> boxes = boxes_of(labels);
  std::vector<std::uint8_t> wanted(boxes.size(), 1);
  std::copy_n(wanted_first.begin(), std::min(wanted_first.size(), wanted.size()), wanted.begin());
  const Image<std::uint8_t> channels = channels_of(kReferenceFeatures, rgb, boxes, wanted, stains);
  const DeviceImage<Rgb> device_rgb(rgb);
  const DeviceImage<std::int32_t> device_labels(labels);
  const DeviceImage<std::uint8_t> device_channels(Image<std::uint8_t>(channels.width(), channels.height(), 2));
  const DeviceArray<ObjectBox> device_boxes(boxes);
  const DeviceArray<std::uint8_t> device_wanted(wanted);
  const DeviceArray<StainAmountTable> device_stains({stains});
  DeviceContext context;
  kCudaFeatures.deconvolve(context, device_rgb.view(), device_boxes.span(), device_wanted.span(), *device_stains.data(),
                           device_channels.view());
  const Image<std::uint8_t> actual_channels = device_channels.get();
  for (int y = 0; y < channels.height(); ++y)
    for (int x = 0; x < channels.width(); ++x) ASSERT_EQ(channels.at(x, y), actual_channels.at(x, y)) << x << "," << y;
  const Masks masks = masks_of(kReferenceFeatures, labels, boxes, wanted, 20'000);
  const DeviceArray<MaskPlace> device_places(masks.places);
  const DeviceArray<std::uint64_t> device_masks(std::vector<std::uint64_t>(masks.words.size(), ~std::uint64_t{0}));
  kCudaFeatures.regions(context, device_labels.view(), device_boxes.span(), device_places.span(), device_masks.span());
  ASSERT_EQ(masks.words, device_masks.get());
  for (std::size_t family = 0; family < kFamilyCount; ++family) {
    constexpr double nothing = -7;
    const Image<double> expected = family_rows(kReferenceFeatures, static_cast<FeatureFamily>(family), channels, labels,
                                               boxes, wanted, masks, nothing);
    const DeviceImage<double> table(Image<double>(expected.width(), expected.height(), 3, nothing));
    if (family == 0)
      kCudaFeatures.shape(context, device_labels.view(), device_boxes.span(), device_wanted.span(),
                          device_places.span(), device_masks.span(), table.view());
    else
      kCudaFeatures.of_channels[family - 1](context, device_channels.view(), device_labels.view(), device_boxes.span(),
                                            device_wanted.span(), device_places.span(), device_masks.span(),
                                            table.view());
    const Image<double> actual = table.get();
    for (int y = 0; y < expected.height(); ++y)
      for (int x = 0; x < expected.width(); ++x)
        ASSERT_EQ(expected.at(x, y), actual.at(x, y))
            << "column " << x << " of " << kFamilyNames[family] << " of object " << y + 1;
    EXPECT_TRUE(actual.padding_intact());
  }
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
