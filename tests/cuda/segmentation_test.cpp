// The CUDA kernels of the segmentation against the reference: in the SIMT host runtime, or on a GPU (docs/cuda.md).
#include <gtest/gtest.h>

#include <limits>
#include <vector>

#include "codelets/kernels/background.hpp"
#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/fill_holes.hpp"
#include "codelets/kernels/morph_open.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/rbc.hpp"
#include "codelets/kernels/reconstruct.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "tests/cuda/device.hpp"

namespace starpath {
namespace {

using namespace support;
using Gray = Image<std::uint8_t>;
using Deep = Image<std::uint16_t>;
using Labels = Image<std::int32_t>;

/// Masks of every kind, fewer than for the CPU.
template <class Check>
void for_masks(Rng& rng, int width, int height, int padding, Check check) {
  check(Gray(width, height, padding, 0));
  check(Gray(width, height, padding, 255));
  check(rng() % 2 == 0 ? dots(width, height, padding) : at_borders(rng, width, height, padding));
  check(mask_noise(rng, width, height, padding, 0.4));
  check(mask_noise(rng, width, height, padding, std::uniform_real_distribution<double>(0, 1)(rng)));
  check(blobs(rng, width, height, padding));
  check(spiral(width, height, padding));
}

TEST(Cuda, Background) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        for (std::uint8_t* const c : {&rgb.at(x, y).r, &rgb.at(x, y).g, &rgb.at(x, y).b})
          *c = static_cast<std::uint8_t>(*c % 8 == 0 ? *c : 216 + *c % 40);
    if (rng() % 4 == 0) rgb = Image<Rgb>(width, height, padding, rng() % 2 == 0 ? Rgb{0, 0, 0} : Rgb{255, 255, 255});
    Gray expected(width, height, padding, 7);
    reference::background(TestContext(), rgb.view(), expected.view());
    DeviceContext context;
    const DeviceImage<Rgb> input(rgb);
    const DeviceImage<std::uint8_t> mask(Gray(width, height, padding, 7));
    cuda::background(context, input.view(), mask.view());
    EXPECT_TRUE(same(expected, mask.get()));
    for (const auto& [x0, y0] : {std::pair{0, 0}, {255, 256}, {700, 511}}) {
      const int columns = (x0 + width - 1) / tissue_cell - x0 / tissue_cell + 1;
      const int rows = (y0 + height - 1) / tissue_cell - y0 / tissue_cell + 1;
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
      Gray expected(width, height, padding);
      reference::rbc(TestContext(), rgb.view(), expected.view());
      DeviceContext context;
      const DeviceImage<Rgb> input(rgb);
      const DeviceImage<std::uint8_t> actual(Gray(width, height, padding));
      cuda::rbc(context, input.view(), actual.view());
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
      Gray inverted(width, height, padding), opened(width, height, padding);
      const DeviceImage<Rgb> input(rgb);
      const DeviceImage<std::uint8_t> device_inverted(inverted), device_opened(opened);
      reference::morph_open(TestContext(), rgb.view(), inverted.view(), opened.view());
      DeviceContext context;
      cuda::morph_open(context, input.view(), device_inverted.view(), device_opened.view());
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
    Gray expected(width, height, padding);
    reference::recon_to_nuclei(TestContext(), inverted.view(), opened.view(), expected.view());
    DeviceContext context;
    const DeviceImage<std::uint8_t> a(inverted), b(opened), difference(Gray(width, height, padding));
    cuda::recon_to_nuclei(context, a.view(), b.view(), difference.view());
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
    });
    const Gray difference = blobs(rng, width, height, padding, 6);
    Gray expected(width, height, padding);
    reference::fill_holes(TestContext(), difference.view(), expected.view());
    DeviceContext context;
    const DeviceImage<std::uint8_t> in(difference), out(Gray(width, height, padding));
    cuda::fill_holes(context, in.view(), out.view());
    EXPECT_TRUE(same(expected, out.get()));
  });
}

TEST(Cuda, ComponentsAndBoxes) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      for (const Connectivity connectivity : {Connectivity::four, Connectivity::eight}) {
        SCOPED_TRACE(static_cast<int>(connectivity));
        Labels expected(width, height, padding);
        std::int32_t count = -1;
        reference::label_components(TestContext(), mask.view(), connectivity, expected.view(), &count);
        DeviceContext context;
        const DeviceImage<std::uint8_t> in(mask);
        const DeviceImage<std::int32_t> labels(Labels(width, height, padding));
        const DeviceArray<std::int32_t> device_count({-1});
        cuda::label_components(context, in.view(), connectivity, labels.view(), device_count.data());
        ASSERT_TRUE(same(expected, labels.get()));
        ASSERT_EQ(device_count.get()[0], count);

        std::vector<ObjectBox> boxes(static_cast<std::size_t>(count));
        const DeviceArray<ObjectBox> device_boxes(boxes);
        reference::object_boxes(TestContext(), expected.view(), boxes);
        cuda::object_boxes(context, labels.view(), device_boxes.span());
        const std::vector<ObjectBox> found = device_boxes.get();
        for (std::size_t i = 0; i < boxes.size(); ++i) {
          const ObjectBox &a = boxes[i], &b = found[i];
          ASSERT_TRUE(a.x0 == b.x0 && a.y0 == b.y0 && a.x1 == b.x1 && a.y1 == b.y1 && a.area == b.area &&
                      a.first_x == b.first_x && a.first_y == b.first_y && a.sum_x == b.sum_x && a.sum_y == b.sum_y)
              << "box of label " << i + 1;
        }

        const auto min_area = static_cast<std::int32_t>(rng() % 5), max_area = static_cast<std::int32_t>(rng() % 400);
        Gray kept(width, height, padding);
        reference::area_filter(TestContext(), mask.view(), connectivity, min_area, max_area, kept.view());
        cuda::area_filter(context, in.view(), connectivity, min_area, max_area, in.view());
        ASSERT_TRUE(same(kept, in.get())) << "area in [" << min_area << ", " << max_area << ")";
      }
    });
  });
}

TEST(Cuda, AreaThreshold) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      Gray expected(width, height, padding);
      reference::area_threshold(TestContext(), mask.view(), expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask), out(Gray(width, height, padding));
      cuda::area_threshold(context, in.view(), out.view());
      EXPECT_TRUE(same(expected, out.get()));
    });
  });
}

TEST(Cuda, Select) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const double seeding : {0.001, 0.05}) {
      const Gray difference = rng() % 2 == 0 ? blobs(rng, width, height, padding, 7)
                                             : noise<std::uint8_t>(rng, width, height, padding, 100);
      const Gray seeds = mask_noise(rng, width, height, padding, seeding);
      const Gray red = mask_noise(rng, width, height, padding, 0.03);
      Gray expected(width, height, padding);
      reference::select(TestContext(), difference.view(), seeds.view(), red.view(), expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> a(difference), b(seeds), c(red), out(Gray(width, height, padding));
      cuda::select(context, a.view(), b.view(), c.view(), out.view());
      EXPECT_TRUE(same(expected, out.get()));
    }
  });
}

TEST(Cuda, SquaredDistance) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const auto check = [&](const Gray& mask) {
      Labels expected(width, height, padding);
      reference::squared_distance(TestContext(), mask.view(), expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask);
      const DeviceImage<std::int32_t> out(Labels(width, height, padding));
      cuda::squared_distance(context, in.view(), out.view());
      EXPECT_TRUE(same(expected, out.get()));
    };
    if (width * height < 100'000) check(Gray(width, height, padding, 255));
    Gray single(width, height, padding, 255);
    if (width * height < 100'000) {
      single.at(static_cast<int>(rng() % static_cast<unsigned>(width)),
                static_cast<int>(rng() % static_cast<unsigned>(height))) = 0;
      check(single);
    }
    check(mask_noise(rng, width, height, padding, 0.97));
    check(blobs(rng, width, height, padding));
  });
}

TEST(Cuda, PreWatershed) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const Gray& mask : {blobs(rng, width, height, padding), mask_noise(rng, width, height, padding, 0.7)}) {
      Gray objects(width, height, padding);
      Deep depth(width, height, padding);
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask), device_objects(objects);
      const DeviceImage<std::uint16_t> device_depth(depth);
      reference::pre_watershed(TestContext(), mask.view(), objects.view(), depth.view());
      cuda::pre_watershed(context, in.view(), device_objects.view(), device_depth.view());
      EXPECT_TRUE(same(objects, device_objects.get()));
      EXPECT_TRUE(same(depth, device_depth.get()));
    }
  });
}

void expect_watershed(const Gray& objects, const Deep& depth, int padding) {
  Gray expected(objects.width(), objects.height(), padding);
  reference::watershed(TestContext(), objects.view(), depth.view(), expected.view());
  DeviceContext context;
  const DeviceImage<std::uint8_t> in(objects), out(Gray(objects.width(), objects.height(), padding));
  const DeviceImage<std::uint16_t> relief(depth);
  cuda::watershed(context, in.view(), relief.view(), out.view());
  EXPECT_TRUE(same(expected, out.get()));
}

TEST(Cuda, WatershedOfAnyRelief) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const unsigned levels : {1U, 3U, 65536U}) {
      SCOPED_TRACE(std::to_string(levels) + " levels");
      const Deep depth = noise<std::uint16_t>(rng, width, height, padding, levels - 1);
      expect_watershed(Gray(width, height, padding, 255), depth, padding);
      expect_watershed(blobs(rng, width, height, padding), depth, padding);
      expect_watershed(mask_noise(rng, width, height, padding, 0.6), depth, padding);
    }
  });
}

TEST(Cuda, WatershedOfDistances) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const Gray& mask : {blobs(rng, width, height, padding), mask_noise(rng, width, height, padding, 0.8)}) {
      Gray objects(width, height, padding);
      Deep depth(width, height, padding);
      reference::pre_watershed(TestContext(), mask.view(), objects.view(), depth.view());
      expect_watershed(objects, depth, padding);
    }
  });
}

TEST(Cuda, Bwlabel) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      Labels expected(width, height, padding);
      std::int32_t count = -1;
      reference::bwlabel(TestContext(), mask.view(), expected.view(), &count);
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask);
      const DeviceImage<std::int32_t> labels(Labels(width, height, padding));
      const DeviceArray<std::int32_t> device_count({-1});
      cuda::bwlabel(context, in.view(), labels.view(), device_count.data());
      EXPECT_TRUE(same(expected, labels.get()));
      EXPECT_EQ(device_count.get()[0], count);
    });
  });
}

}  // namespace
}  // namespace starpath
