// The CUDA kernel of the nuclei's classifier against the reference.
#include "codelets/kernels/nearest_classes.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/cuda/device.hpp"
#include "support/kmeans_points.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, NearestClasses) {
  for_device_sizes([](Rng& rng, int numbers, int count, int padding) {
    if (numbers > kMostPointNumbers) return;
    const int limit = random_limit(rng), k = 1 + static_cast<int>(rng() % kMostNeighbours);
    const int sample_count = k + static_cast<int>(rng() % 50);
    const auto points = random_points(rng, numbers, count, padding, limit);
    const auto samples = random_points(rng, numbers, sample_count, padding, limit);
    const auto labels = random_labels(rng, sample_count);
    std::vector<ClassVote> votes(static_cast<std::size_t>(count), ClassVote{99, 99, 99});
    const DeviceImage<std::int16_t> device_points(points), device_samples(samples);
    const DeviceArray<std::uint8_t> device_labels(labels);
    const DeviceArray<ClassVote> device_votes(votes);
    reference::nearest_classes(TestContext(), points.view(), samples.view(), labels, votes, k);
    DeviceContext context;
    cuda::nearest_classes(context, device_points.view(), device_samples.view(), device_labels.span(),
                          device_votes.span(), k);
    EXPECT_EQ(device_votes.get(), votes);
  });
}

}  // namespace
}  // namespace starpath
