// NBIA's classifier: votes by hand, the CPU kernel against the reference.
#include "codelets/kernels/nbia_classify.hpp"

#include <gtest/gtest.h>

#include "codelets/kernels/nbia_statistics.hpp"
#include "support/images.hpp"
#include "support/nbia_samples.hpp"

namespace starpath {
namespace {

using namespace support;

NbiaVote vote_of(decltype(reference::nbia_classify) kernel, const NbiaCounts& counts, const Samples& samples) {
  NbiaVote vote{NbiaLabel::background, 99, 99};
  kernel(TestContext(), counts, samples.view(), &vote);
  return vote;
}

TEST(NbiaZ, RoundsClampsAndIgnoresConstantFeatures) {
  EXPECT_EQ(nbia_z(3, 1, 2), 512);
  EXPECT_EQ(nbia_z(1 + 1.5 / 512, 1, 1), 2);
  EXPECT_EQ(nbia_z(1 - 1.5 / 512, 1, 1), -2);
  EXPECT_EQ(nbia_z(1e300, 0, 1e-300), 4095);
  EXPECT_EQ(nbia_z(-100, 0, 1), -4095);
  EXPECT_EQ(nbia_z(5, 1, 0), 0);
}

TEST(NbiaPValue, TwelveOfFifteenIsAccepted) {
  EXPECT_DOUBLE_EQ(nbia_p_value(15), 1.0 / 32768);
  EXPECT_DOUBLE_EQ(nbia_p_value(8), 0.5);
  EXPECT_DOUBLE_EQ(nbia_p_value(12), 576.0 / 32768);
  EXPECT_LT(nbia_p_value(12), kNbiaSignificance);
  EXPECT_GT(nbia_p_value(11), kNbiaSignificance);
}

TEST(NbiaClassify, NearestSamplesVote) {
  // Features all 0 but for the first: the query stands at 0, sample i at i / 512.
  NbiaCounts counts{};
  counts.pixels = 1;
  Samples samples(20);
  for (int i = 0; i < 20; ++i) samples.z[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(i);
  for (const std::size_t rich : {0u, 1u, 2u, 3u, 4u, 5u, 6u, 14u, 15u, 16u, 17u, 18u, 19u})
    samples.labels[rich] = NbiaLabel::stroma_rich;
  constexpr std::int32_t distance = 1015 / 15;  // 0 + 1 + 4 + ... + 14 * 14
  EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), (NbiaVote{NbiaLabel::stroma_rich, 8, distance}));
  samples.labels[14] = NbiaLabel::stroma_poor;
  EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), (NbiaVote{NbiaLabel::stroma_poor, 8, distance}));
  // Equally far: the first fifteen vote.
  std::fill(samples.z.begin(), samples.z.end(), 7);
  EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), (NbiaVote{NbiaLabel::stroma_poor, 8, 25 * 49}));
}

TEST(NbiaClassify, TheFarthestSamplesThatThereCanBeFitTheDistance) {
  NbiaCounts counts{};
  counts.pixels = 1;
  Samples samples(kNbiaNeighbours);
  std::fill(samples.mean.begin(), samples.mean.end(), 1e9);  // the query stands at -kNbiaZLimit
  std::fill(samples.z.begin(), samples.z.end(), static_cast<std::int16_t>(kNbiaZLimit));
  const NbiaVote expected{NbiaLabel::stroma_poor, 15, 4 * kNbiaZLimit * kNbiaZLimit * 25};
  EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), expected);
  EXPECT_EQ(vote_of(cpu::nbia_classify, counts, samples), expected);
}

TEST(NbiaClassify, GlassIsNotVotedOn) {
  NbiaCounts counts{};
  counts.pixels = 10, counts.glass = 9;
  const Samples samples(15);
  EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), kNbiaGlass);
  EXPECT_EQ(vote_of(cpu::nbia_classify, counts, samples), kNbiaGlass);
}

TEST(NbiaClassify, CpuVotesAsTheReference) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    NbiaCounts counts;
    reference::nbia_statistics(TestContext(), rgb_noise(rng, width, height, padding).view(), &counts);
    const Samples samples = random_samples(rng);
    EXPECT_EQ(vote_of(reference::nbia_classify, counts, samples), vote_of(cpu::nbia_classify, counts, samples));
  });
}

}  // namespace
}  // namespace starpath
