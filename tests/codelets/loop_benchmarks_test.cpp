// The loop benchmarks: by hand, and the CPU kernels against the reference, divided in any way.
#include "tests/support/loop_benchmarks.hpp"

#include <numeric>

#include "codelets/benchmarks/loops.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(BlackScholes, KnownPrices) {
  Prices one(1);
  one.spot = {100}, one.strike = {100}, one.years = {1};
  OptionBatch batch = one.part(0, 1);
  batch.rate = 0.05;
  batch.volatility = 0.2;
  reference::black_scholes(TestContext(), batch);
  EXPECT_NEAR(one.call[0], 10.4506, 1e-4);
  EXPECT_NEAR(one.put[0], 5.5735, 1e-4);
}

TEST(BlackScholes, CpuEqualsReferenceToTheBit) {
  Rng rng(1);
  constexpr std::size_t n = 5003;
  Prices expected(n);
  expected.fill(rng);
  Prices actual = expected;
  reference::black_scholes(TestContext(), expected.part(0, n));
  for (std::size_t begin = 0, size = 1; begin < n; begin += size, size = std::min(size * 2 + 1, n - begin))
    cpu::black_scholes(TestContext(), actual.part(begin, size));
  EXPECT_EQ(actual.call, expected.call);
  EXPECT_EQ(actual.put, expected.put);
}

TEST(ValueHistogram, CpuEqualsReference) {
  Rng rng(2);
  for (const std::size_t n : {0, 1, 3, 4, 5, 100003}) {
    std::vector<std::uint8_t> values(n);
    for (auto& value : values) value = static_cast<std::uint8_t>(rng() % 7 == 0 ? rng() % 256 : 9);
    std::vector<std::uint64_t> expected(256, 5), actual(256, 5);
    reference::value_histogram(TestContext(), values, expected);
    cpu::value_histogram(TestContext(), values, actual);
    EXPECT_EQ(actual, expected);
    EXPECT_EQ(std::accumulate(expected.begin(), expected.end(), std::uint64_t{0}), n + 256 * 5);
  }
}

TEST(Bins, AreZeroedAndAdded) {
  std::vector<std::uint64_t> into = {1, 0, 3}, expected = into;
  const std::vector<std::uint64_t> from = {10, 20, std::uint64_t{1} << 40};
  reference::add_bins(TestContext(), expected, from);
  EXPECT_EQ(expected, (std::vector<std::uint64_t>{11, 20, (std::uint64_t{1} << 40) + 3}));
  cpu::add_bins(TestContext(), into, from);
  EXPECT_EQ(into, expected);
  reference::zero_bins(TestContext(), expected);
  EXPECT_EQ(expected, std::vector<std::uint64_t>(3, 0));
  cpu::zero_bins(TestContext(), into);
  EXPECT_EQ(into, expected);
}

TEST(BoxFilter, MeansByHand) {
  const Image<std::uint8_t> in{{0, 1, 5}, {1, 1, 0}};
  Image<std::uint8_t> out(3, 2);
  reference::box_filter(TestContext(), in.view(), 0, out.view(), 1);
  EXPECT_TRUE(same(Image<std::uint8_t>{{1, 1, 2}, {1, 1, 2}}, out));
}

TEST(BoxFilter, CpuEqualsReferenceOnAnyPart) {
  for_awkward_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<std::uint8_t> in = noise<std::uint8_t>(rng, width, height, padding, 255);
    const int radius = static_cast<int>(rng() % 9);
    const int first = static_cast<int>(rng() % static_cast<unsigned>(height));
    Image<std::uint8_t> expected(width, height - first, padding), actual(width, height - first, padding);
    reference::box_filter(TestContext(), in.view(), first, expected.view(), radius);
    cpu::box_filter(TestContext(), in.view(), first, actual.view(), radius);
    EXPECT_TRUE(same(expected, actual));
  });
}

TEST(NBody, TwoBodiesAttractEachOther) {
  const std::vector<Body> bodies = {{0, 0, 0, 1}, {2, 0, 0, 4}};
  std::vector<Acceleration> out(2);
  reference::n_body(TestContext(), bodies, 0, 1e-6F, out);
  EXPECT_FLOAT_EQ(out[0].x, 1);
  EXPECT_FLOAT_EQ(out[1].x, -0.25F);
  EXPECT_EQ(out[0].y, 0);
}

TEST(NBody, CpuEqualsReferenceToTheBitOnAnyPart) {
  Rng rng(3);
  const std::vector<Body> bodies = random_bodies(rng, 257);
  std::vector<Acceleration> expected(257), actual(257);
  reference::n_body(TestContext(), bodies, 0, 0.01F, expected);
  for (std::size_t begin = 0, size = 1; begin < 257;
       begin += size, size = std::min<std::size_t>(size * 2 + 1, 257 - begin))
    cpu::n_body(TestContext(), bodies, begin, 0.01F, std::span(actual).subspan(begin, size));
  EXPECT_EQ(actual, expected);
}

TEST(VectorIncrement, CpuEqualsReference) {
  std::vector<std::uint32_t> expected = {0, 1, 0xffffffffU, 7}, actual = expected;
  reference::vector_increment(TestContext(), expected);
  cpu::vector_increment(TestContext(), actual);
  EXPECT_EQ(expected, (std::vector<std::uint32_t>{1, 2, 0, 8}));
  EXPECT_EQ(actual, expected);
}

}  // namespace
}  // namespace starpath
