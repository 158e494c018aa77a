// The CUDA kernel of k-means against the reference.
#include <gtest/gtest.h>

#include <vector>

#include "codelets/kernels/kmeans_assign.hpp"
#include "support/cuda/device.hpp"
#include "support/kmeans_points.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, KmeansAssign) {
  for_device_sizes([](Rng& rng, int numbers, int count, int padding) {
    if (numbers > kMostPointNumbers) return;
    const int limit = random_limit(rng), k = 1 + static_cast<int>(rng() % 9);
    const auto points = random_points(rng, numbers, count, padding, limit);
    const auto centres = random_points(rng, numbers, k, padding, limit);
    std::vector<std::uint8_t> labels(static_cast<std::size_t>(count), 77);
    Image<std::int64_t> sums(numbers + 2, k, padding, -5);
    const DeviceImage<std::int16_t> device_points(points), device_centres(centres);
    const DeviceArray<std::uint8_t> device_labels(labels);
    const DeviceImage<std::int64_t> device_sums(sums);
    reference::kmeans_assign(TestContext(), points.view(), centres.view(), labels, sums.view());
    DeviceContext context;
    cuda::kmeans_assign(context, device_points.view(), device_centres.view(), device_labels.span(), device_sums.view());
    EXPECT_EQ(device_labels.get(), labels);
    EXPECT_EQ(device_sums.get().elements(), sums.elements());
  });
}

}  // namespace
}  // namespace starpath
