// The resolution of a slide that says none, from its nuclei.
#include "pipelines/segmentation/resolution_estimate.hpp"

#include <gtest/gtest.h>

#include <utility>

namespace starpath {
namespace {

TEST(ResolutionEstimate, FindsTheSizeThatSyntheticNucleiWereDrawnIn) {
  for (const auto& [text, mpp] : {std::pair{"synthetic:3000x3000,seed=3,mpp=0.25", 0.25},
                                  {"synthetic:2000x2000,seed=3,mpp=0.5", 0.5},
                                  {"synthetic:1000x1000,seed=3,mpp=1", 1.0}}) {
    const NuclearSizeEstimate estimate = estimate_resolution(*io::open_slide(text));
    EXPECT_TRUE(estimate.certain()) << text << " " << estimate.agreeing << " of " << estimate.voting;
    EXPECT_EQ(estimate.mpp, mpp) << text;
  }
}

TEST(ResolutionEstimate, KnowsNothingOfAFewPixels) {
  for (const char* text : {"synthetic:1x1", "synthetic:100x3"}) {
    const NuclearSizeEstimate estimate = estimate_resolution(*io::open_slide(text));
    EXPECT_FALSE(estimate.certain()) << text;
  }
}

}  // namespace
}  // namespace starpath
