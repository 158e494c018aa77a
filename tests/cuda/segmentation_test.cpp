// The CUDA kernels of the segmentation on pixels against the reference: in the SIMT host runtime, or on a GPU
// (docs/cuda.md).
#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/background.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/nucleus_pixels.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "support/cuda/device.hpp"
#include "tests/cuda/masks.hpp"

namespace starpath {
namespace {

using namespace support;
TEST(Cuda, Background) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (std::uint8_t* const c : {&rgb.at(x, y).r, &rgb.at(x, y).g, &rgb.at(x, y).b})
          *c = static_cast<std::uint8_t>(*c % 8 == 0 ? *c : 216 + *c % 40);
    if (rng() % 4 == 0) rgb = Image<Rgb>(width, height, padding, rng() % 2 == 0 ? Rgb{0, 0, 0} : Rgb{255, 255, 255});
    const int level = 216 + static_cast<int>(rng() % 40);
    Gray expected(width, height, padding, 7);
    reference::background(TestContext(), rgb.view(), level, expected.view());
    DeviceContext context;
    const DeviceImage<Rgb> input(rgb);
    const DeviceImage<std::uint8_t> mask(Gray(width, height, padding, 7));
    cuda::background(context, input.view(), level, mask.view());
    EXPECT_TRUE(same(expected, mask.get()));
    for (const auto& [x0, y0] : {std::pair{0, 0}, {255, 256}, {700, 511}}) {
      const int columns = (x0 + width - 1) / kTissueCell - x0 / kTissueCell + 1;
      const int rows = (y0 + height - 1) / kTissueCell - y0 / kTissueCell + 1;
      Image<std::uint32_t> counted(columns, rows, padding, 9);
      const DeviceImage<std::uint32_t> counts(counted);
      reference::count_background(TestContext(), expected.view(), x0, y0, counted.view());
      cuda::count_background(context, mask.view(), x0, y0, counts.view());
      EXPECT_TRUE(same(counted, counts.get())) << "origin " << x0 << "," << y0;
    }
  });
}

TEST(Cuda, Rbc) {
  constexpr Rgb none{100, 100, 0}, low{41, 10, 0}, high{51, 10, 0}, bluish{51, 10, 51};
  for_device_sizes([&](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& objects) {
      const auto rarity = 1 + rng() % 50;
      Image<Rgb> rgb(width, height, padding);
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const Rgb inside = rng() % rarity != 0 ? low : rng() % 4 != 0 ? high : bluish;
          rgb.at(x, y) = objects.at(x, y) != 0 ? inside : none;
        }
      const int ratio_low = 60 + static_cast<int>(rng() % 8), ratio_high = ratio_low + static_cast<int>(rng() % 16);
      Gray expected(width, height, padding);
      const int haematoxylin = rng() % 2 != 0 ? 0 : static_cast<int>(rng() % 200);
      reference::rbc(TestContext(), rgb.view(), ratio_high, ratio_low, haematoxylin, expected.view());
      DeviceContext context;
      const DeviceImage<Rgb> input(rgb);
      const DeviceImage<std::uint8_t> actual(Gray(width, height, padding));
      cuda::rbc(context, input.view(), ratio_high, ratio_low, haematoxylin, actual.view());
      EXPECT_TRUE(same(expected, actual.get()));
    });
  });
}

TEST(Cuda, MorphOpen) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const int kind : {0, 1, 2, 3}) {
      Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
      if (kind > 1) rgb = Image<Rgb>(width, height, padding, kind == 2 ? Rgb{0, 0, 0} : Rgb{255, 255, 255});
      const Gray shapes = blobs(rng, width, height, padding, 6);
      if (kind == 1)
        for (int y = 0; y < height; ++y)
          for (int x = 0; x < width; ++x) rgb.at(x, y).r = static_cast<std::uint8_t>(shapes.at(x, y) + rng() % 8);
      const int reach = kind == 0 ? 9 : 1 + static_cast<int>(rng() % 20);  // in blocks, and wider than those
      SCOPED_TRACE("reach " + std::to_string(reach));
      Gray inverted(width, height, padding), opened(width, height, padding);
      const DeviceImage<Rgb> input(rgb);
      const DeviceImage<std::uint8_t> device_inverted(inverted), device_opened(opened);
      reference::morph_open(TestContext(), rgb.view(), reach, inverted.view(), opened.view());
      DeviceContext context;
      cuda::morph_open(context, input.view(), reach, device_inverted.view(), device_opened.view());
      EXPECT_TRUE(same(inverted, device_inverted.get()));
      EXPECT_TRUE(same(opened, device_opened.get()));
    }
  });
}

/// A few pixels of the mask, some lowered.
Gray marker_in(Rng& rng, const Gray& mask, int padding) {
  Gray marker(mask.width(), mask.height(), padding);
  const auto rarity = 2 + rng() % 400;
  for (int y = 0; y < mask.height(); ++y)
    for (int x = 0; x < mask.width(); ++x)
      if (rng() % rarity == 0 && mask.at(x, y) != 0)
        marker.at(x, y) = static_cast<std::uint8_t>(rng() % (mask.at(x, y) + 1U));
  return marker;
}

void expect_bounded(const Gray& marker, const Gray& mask, int padding, int steps) {
  SCOPED_TRACE(std::to_string(steps) + " steps");
  Gray expected(mask.width(), mask.height(), padding);
  reference::reconstruct8_bounded(TestContext(), marker.view(), mask.view(), steps, expected.view());
  DeviceContext context;
  const DeviceImage<std::uint8_t> from(marker), limit(mask), out(Gray(mask.width(), mask.height(), padding));
  cuda::reconstruct8_bounded(context, from.view(), limit.view(), steps, out.view());
  EXPECT_TRUE(same(expected, out.get()));
  cuda::reconstruct8_bounded(context, from.view(), limit.view(), steps, from.view());
  EXPECT_TRUE(same(expected, from.get())) << "in place";
}

TEST(Cuda, ReconstructBounded) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      expect_bounded(marker_in(rng, mask, padding), mask, padding, static_cast<int>(rng() % 80));
    });
    const Gray rough = noise<std::uint8_t>(rng, width, height, padding, 255);
    const Gray flat = blobs(rng, width, height, padding, 6);
    expect_bounded(rough, flat, padding, 0);
    expect_bounded(marker_in(rng, rough, padding), rough, padding, 17);
    expect_bounded(marker_in(rng, flat, padding), flat, padding, 250);
  });
}

TEST(Cuda, ReconToNuclei) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const Gray inverted = blobs(rng, width, height, padding, 9);
    const Gray opened = marker_in(rng, inverted, padding);
    const int steps = static_cast<int>(rng() % 200);
    Gray expected(width, height, padding);
    reference::recon_to_nuclei(TestContext(), inverted.view(), opened.view(), steps, expected.view());
    DeviceContext context;
    const DeviceImage<std::uint8_t> a(inverted), b(opened), difference(Gray(width, height, padding));
    cuda::recon_to_nuclei(context, a.view(), b.view(), steps, difference.view());
    EXPECT_TRUE(same(expected, difference.get()));
  });
}

template <class Kernel, class T>
void expect_limit(Kernel* reference, Kernel* kernel, const Image<T>& marker, const Image<T>& mask, int padding) {
  for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
    SCOPED_TRACE(static_cast<int>(connectivity));
    Image<T> expected(mask.width(), mask.height(), padding);
    const DeviceImage<T> from(marker), limit(mask), out(expected);
    reference(TestContext(), marker.view(), mask.view(), connectivity, expected.view());
    DeviceContext context;
    kernel(context, from.view(), limit.view(), connectivity, out.view());
    EXPECT_TRUE(same(expected, out.get()));
    kernel(context, from.view(), limit.view(), connectivity, from.view());
    EXPECT_TRUE(same(expected, from.get())) << "in place";
  }
}

Deep deepened(const Gray& image, int padding) {
  Deep deep(image.width(), image.height(), padding);
  for (int y = 0; y < image.height(); ++y)
    for (int x = 0; x < image.width(); ++x) deep.at(x, y) = static_cast<std::uint16_t>(257 * image.at(x, y));
  return deep;
}

TEST(Cuda, ReconstructToTheLimit) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    expect_limit(reference::reconstruct_u16, cuda::reconstruct_u16,
                 noise<std::uint16_t>(rng, width, height, padding, 40000),
                 noise<std::uint16_t>(rng, width, height, padding, 65535), padding);
    for (const Gray& mask : {spiral(width, height, padding), blobs(rng, width, height, padding, 6),
                             mask_noise(rng, width, height, padding, 0.6)}) {
      const Gray marker = marker_in(rng, mask, padding);
      expect_limit(reference::reconstruct_u8, cuda::reconstruct_u8, marker, mask, padding);
      expect_limit(reference::reconstruct_u16, cuda::reconstruct_u16, deepened(marker, padding),
                   deepened(mask, padding), padding);
    }
  });
}

TEST(Cuda, ReconstructBinary) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const Gray marker = mask_noise(rng, width, height, padding, 0.02);
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      expect_limit(reference::reconstruct_binary, cuda::reconstruct_binary, marker, mask, padding);
    });
  });
}

TEST(Cuda, NucleusPixels) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const int reach : {0, 1, 12, kMaxLocalReach}) {
      const Gray difference = rng() % 2 == 0 ? blobs(rng, width, height, padding, 7)
                                             : noise<std::uint8_t>(rng, width, height, padding, 255);
      const int level = static_cast<int>(rng() % 90), weight = static_cast<int>(rng() % 101);
      Gray expected(width, height, padding);
      reference::nucleus_pixels(TestContext(), difference.view(), level, reach, weight, expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(difference), out(Gray(width, height, padding));
      cuda::nucleus_pixels(context, in.view(), level, reach, weight, out.view());
      EXPECT_TRUE(same(expected, out.get())) << "reach " << reach;
    }
  });
}

TEST(Cuda, FillHoles) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      Gray expected(width, height, padding);
      reference::fill_holes4(TestContext(), mask.view(), expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask), out(Gray(width, height, padding));
      cuda::fill_holes4(context, in.view(), out.view());
      EXPECT_TRUE(same(expected, out.get()));
      cuda::fill_holes4(context, in.view(), in.view());
      EXPECT_TRUE(same(expected, in.get())) << "in place";
      const int most = static_cast<int>(rng() % 40);
      const DeviceImage<std::uint8_t> holed(mask);
      reference::fill_small_holes4(TestContext(), mask.view(), most, expected.view());
      cuda::fill_small_holes4(context, holed.view(), most, out.view());
      EXPECT_TRUE(same(expected, out.get())) << "holes under " << most;
    });
    const Gray difference = blobs(rng, width, height, padding, 6);
    const int level = static_cast<int>(rng() % 255);
    Gray expected(width, height, padding);
    reference::fill_holes(TestContext(), difference.view(), level, expected.view());
    DeviceContext context;
    const DeviceImage<std::uint8_t> in(difference), out(Gray(width, height, padding));
    cuda::fill_holes(context, in.view(), level, out.view());
    EXPECT_TRUE(same(expected, out.get()));
  });
}

}  // namespace
}  // namespace starpath
