// The CUDA kernel of the survey against the reference.
#include "codelets/kernels/survey.hpp"

#include <gtest/gtest.h>

#include <cstring>

#include "support/cuda/device.hpp"
#include "support/survey_images.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, Survey) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<Rgb> rgb = survey_noise(rng, width, height, padding);
    const auto difference = noise<std::uint8_t>(rng, width, height, padding, rng() % 2 != 0 ? 255 : 3);
    const SurveyCore core = random_core(rng, width, height);
    const Rgb white = random_white(rng);
    SurveyCounts expected;
    reference::survey(TestContext(), rgb.view(), difference.view(), core.x, core.y, core.width, core.height, white.r,
                      white.g, white.b, &expected);
    SurveyCounts before;
    std::memset(&before, 7, sizeof before);
    const DeviceArray<SurveyCounts> counts({before});
    const DeviceImage<Rgb> in(rgb);
    const DeviceImage<std::uint8_t> differences(difference);
    DeviceContext context;
    cuda::survey(context, in.view(), differences.view(), core.x, core.y, core.width, core.height, white.r, white.g,
                 white.b, counts.data());
    const SurveyCounts actual = counts.get()[0];
    EXPECT_EQ(std::memcmp(&expected, &actual, sizeof expected), 0);
    EXPECT_EQ(expected.pixels, actual.pixels);
  });
}

}  // namespace
}  // namespace starpath
