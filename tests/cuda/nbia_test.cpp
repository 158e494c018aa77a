// The CUDA kernels of NBIA against the reference.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "codelets/kernels/area_average.hpp"
#include "codelets/kernels/nbia_classify.hpp"
#include "codelets/kernels/nbia_statistics.hpp"
#include "support/cuda/device.hpp"
#include "support/nbia_samples.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, AreaAverage) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const auto& [wide, high] : {std::pair{1, 1}, {4, 2}, {3, 5}}) {
      if (width * wide * height * high > 20'000 * device_strength()) continue;
      Image<Rgb> rgb = rgb_noise(rng, width * wide, height * high, padding);
      if (rng() % 4 == 0) rgb = Image<Rgb>(width * wide, height * high, padding, Rgb{255, 255, 255});
      Image<Rgb> expected(width, height, padding);
      const DeviceImage<Rgb> in(rgb), out(expected);
      reference::area_average(TestContext(), rgb.view(), expected.view());
      DeviceContext context;
      cuda::area_average(context, in.view(), out.view());
      EXPECT_TRUE(same(expected, out.get())) << "factors " << wide << " and " << high;
    }
  });
}

TEST(Cuda, NbiaStatistics) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    for (const unsigned darkest : {0U, 190U, 255U}) {
      Image<Rgb> rgb = rgb_noise(rng, width, height, padding);
      const auto raised = [&](std::uint8_t v) { return static_cast<std::uint8_t>(darkest + v % (256 - darkest)); };
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          Rgb& p = rgb.at(x, y);
          p = {raised(p.r), raised(p.g), raised(p.b)};
          if (x % 3 == 0) p.g = p.b = p.r;
        }
      NbiaCounts expected;
      reference::nbia_statistics(TestContext(), rgb.view(), &expected);
      DeviceContext context;
      const DeviceImage<Rgb> in(rgb);
      const DeviceArray<NbiaCounts> counts({NbiaCounts{{}, {}, 9, 9}});
      cuda::nbia_statistics(context, in.view(), counts.data());
      const NbiaCounts actual = counts.get()[0];
      EXPECT_EQ(std::memcmp(&expected, &actual, sizeof expected), 0);
      EXPECT_EQ(expected.glass, actual.glass);
    }
  });
}

NbiaVote voted(decltype(reference::nbia_classify) kernel, const NbiaCounts& counts, const Samples& samples) {
  NbiaVote vote{};
  kernel(TestContext(), counts, samples.view(), &vote);
  return vote;
}

NbiaVote voted_on_device(const NbiaCounts& counts, const Samples& samples) {
  const DeviceArray<NbiaCounts> device_counts({counts});
  const DeviceArray<double> mean(samples.mean), deviation(samples.deviation);
  const DeviceArray<std::int16_t> z(samples.z);
  const DeviceArray<NbiaLabel> labels(samples.labels);
  const DeviceArray<NbiaVote> vote({NbiaVote{NbiaLabel::background, 99, 99}});
  DeviceContext context;
  cuda::nbia_classify(context, *device_counts.data(),
                      {mean.data(), deviation.data(), z.data(), labels.data(), samples.count}, vote.data());
  return vote.get()[0];
}

TEST(Cuda, NbiaClassify) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    NbiaCounts counts;
    reference::nbia_statistics(TestContext(), rgb_noise(rng, width, height, padding).view(), &counts);
    for (int repetition = 0; repetition < 4; ++repetition) {
      const Samples samples = random_samples(rng);
      const NbiaVote expected = voted(reference::nbia_classify, counts, samples),
                     actual = voted_on_device(counts, samples);
      EXPECT_EQ(expected.label, actual.label);
      EXPECT_EQ(expected.votes, actual.votes);
      EXPECT_EQ(expected.distance, actual.distance);
    }
  });
}

/// Fifteen samples at the query's place, and others beside it, one feature at a time: where the device's feature
/// differs in its last bit, it is further from the former than from some of the latter.
TEST(Cuda, NbiaClassifySeesEveryFeatureToTheLastBit) {
  const std::uint64_t seed = test_seed();
  SCOPED_TRACE("STARPATH_TEST_SEED=" + std::to_string(seed));
  Rng rng(seed);
  set_order(seed);
  NbiaCounts counts;
  reference::nbia_statistics(TestContext(), rgb_noise(rng, 61, 40, 0).view(), &counts);
  const NbiaFeatures features = nbia_features(counts);
  for (std::size_t f = 0; f < kNbiaFeatureCount; ++f) {
    Samples samples(2 * kNbiaNeighbours);
    samples.mean.assign(features.begin(), features.end());
    samples.deviation.assign(kNbiaFeatureCount, 1e-20);  // the last bit of any feature is far more
    for (std::size_t i = kNbiaNeighbours; i < samples.labels.size(); ++i) {
      samples.z[f * samples.labels.size() + i] = static_cast<std::int16_t>(i % 2 == 0 ? 2 : -2);
      samples.labels[i] = NbiaLabel::stroma_rich;
    }
    EXPECT_EQ(voted(reference::nbia_classify, counts, samples), (NbiaVote{NbiaLabel::stroma_poor, 15, 0}));
    EXPECT_EQ(voted_on_device(counts, samples), (NbiaVote{NbiaLabel::stroma_poor, 15, 0})) << "feature " << f;
    samples.mean[f] = std::nextafter(features[f], 10);
    EXPECT_NE(voted_on_device(counts, samples), (NbiaVote{NbiaLabel::stroma_poor, 15, 0})) << "feature " << f;
  }
}

TEST(Cuda, NbiaClassifyOfGlass) {
  NbiaCounts counts{};
  counts.pixels = 10, counts.glass = 9;
  EXPECT_EQ(voted_on_device(counts, Samples(15)), kNbiaGlass);
  EXPECT_EQ(voted_on_device(NbiaCounts{}, Samples(15)), kNbiaGlass);
}

}  // namespace
}  // namespace starpath
