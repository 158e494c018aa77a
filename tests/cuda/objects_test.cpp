// The CUDA kernels of the segmentation on objects against the reference: in the SIMT host runtime, or on a GPU
// (docs/cuda.md).
#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/bwlabel.hpp"
#include "codelets/kernels/connected_components.hpp"
#include "codelets/kernels/pre_watershed.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/kernels/select.hpp"
#include "codelets/kernels/watershed.hpp"
#include "support/cuda/device.hpp"
#include "tests/cuda/masks.hpp"

namespace starpath {
namespace {

using namespace support;

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
      const int least = static_cast<int>(rng() % 20), most = least + static_cast<int>(rng() % 2000);
      Gray expected(width, height, padding);
      reference::area_threshold(TestContext(), mask.view(), least, most, expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask), out(Gray(width, height, padding));
      cuda::area_threshold(context, in.view(), least, most, out.view());
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
      const int level = static_cast<int>(rng() % 60), reach = static_cast<int>(rng() % 20);
      const int weight = static_cast<int>(rng() % 101);
      const int hole = rng() % 2 == 0 ? kAnyArea : static_cast<int>(rng() % 30);
      Gray expected(width, height, padding);
      reference::select(TestContext(), difference.view(), seeds.view(), red.view(), level, reach, weight, hole,
                        expected.view());
      DeviceContext context;
      const DeviceImage<std::uint8_t> a(difference), b(seeds), c(red), out(Gray(width, height, padding));
      cuda::select(context, a.view(), b.view(), c.view(), level, reach, weight, hole, out.view());
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
      const int least = static_cast<int>(rng() % 50), h = static_cast<int>(rng() % 800);
      const int grow = static_cast<int>(rng() % 4), smooth = static_cast<int>(rng() % 4);
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask), device_objects(objects);
      const DeviceImage<std::uint16_t> device_depth(depth);
      reference::pre_watershed(TestContext(), mask.view(), least, grow, smooth, h, objects.view(), depth.view());
      cuda::pre_watershed(context, in.view(), least, grow, smooth, h, device_objects.view(), device_depth.view());
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
      reference::pre_watershed(TestContext(), mask.view(), kPaperPixels.clump_min_area, kPaperPixels.grow_steps,
                               kPaperPixels.smooth_steps, kPaperPixels.split_depth, objects.view(), depth.view());
      expect_watershed(objects, depth, padding);
    }
  });
}

TEST(Cuda, Bwlabel) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for_masks(rng, width, height, padding, [&](const Gray& mask) {
      Labels expected(width, height, padding);
      const int least = static_cast<int>(rng() % 40), most = least + static_cast<int>(rng() % 2000);
      std::int32_t count = -1;
      reference::bwlabel(TestContext(), mask.view(), least, most, expected.view(), &count);
      DeviceContext context;
      const DeviceImage<std::uint8_t> in(mask);
      const DeviceImage<std::int32_t> labels(Labels(width, height, padding));
      const DeviceArray<std::int32_t> device_count({-1});
      cuda::bwlabel(context, in.view(), least, most, labels.view(), device_count.data());
      EXPECT_TRUE(same(expected, labels.get()));
      EXPECT_EQ(device_count.get()[0], count);
    });
  });
}

}  // namespace
}  // namespace starpath
