// The CUDA kernels of loops against the reference.
#include <gtest/gtest.h>

#include "codelets/benchmarks/estimator.hpp"
#include "codelets/benchmarks/wavefronts.hpp"
#include "support/cuda/device.hpp"
#include "tests/support/estimator_benchmarks.hpp"
#include "tests/support/loop_benchmarks.hpp"
#include "tests/support/wavefronts.hpp"

namespace starpath {
namespace {

using namespace support;

TEST(Cuda, VectorIncrement) {
  const std::vector<std::uint32_t> values = {0, 1, 0xffffffffU, 7};
  for (const std::size_t size : {0, 1, 4}) {
    const DeviceArray<std::uint32_t> on_device(values);
    DeviceContext context;
    cuda::vector_increment(context, on_device.span().subspan(0, size));
    std::vector<std::uint32_t> expected = values;
    reference::vector_increment(TestContext(), std::span(expected).subspan(0, size));
    EXPECT_EQ(expected, on_device.get());
  }
}

TEST(Cuda, BlackScholes) {
  Rng rng(test_seed());
  constexpr std::size_t n = 1003;
  Prices expected(n);
  expected.fill(rng);
  const DeviceArray<double> spot(expected.spot), strike(expected.strike), years(expected.years), call(expected.call),
      put(expected.put);
  reference::black_scholes(TestContext(), expected.part(0, n));
  DeviceContext context;
  cuda::black_scholes(
      context,
      {.spot = spot.span(), .strike = strike.span(), .years = years.span(), .call = call.span(), .put = put.span()});
  EXPECT_EQ(expected.call, call.get());
  EXPECT_EQ(expected.put, put.get());
}

TEST(Cuda, ValueHistogram) {
  Rng rng(test_seed());
  for (const std::size_t n : {0, 1, 257, 70'001}) {  // more than a block counts
    std::vector<std::uint8_t> values(n);
    for (auto& value : values) value = static_cast<std::uint8_t>(rng() % 7 == 0 ? rng() % 256 : 9);
    std::vector<std::uint64_t> expected(256, 5);
    const DeviceArray<std::uint8_t> on_device(values);
    const DeviceArray<std::uint64_t> bins(expected);
    reference::value_histogram(TestContext(), values, expected);
    DeviceContext context;
    cuda::value_histogram(context, on_device.span(), bins.span());
    EXPECT_EQ(expected, bins.get()) << n;
  }
}

TEST(Cuda, ZeroAndAddBins) {
  std::vector<std::uint64_t> expected(300), more(300);
  for (std::size_t i = 0; i < expected.size(); ++i) more[i] = 7 * (expected[i] = i << 33);
  const DeviceArray<std::uint64_t> into(expected), from(more);
  DeviceContext context;
  cuda::add_bins(context, into.span(), from.span());
  reference::add_bins(TestContext(), expected, more);
  EXPECT_EQ(expected, into.get());
  cuda::zero_bins(context, into.span());
  reference::zero_bins(TestContext(), expected);
  EXPECT_EQ(expected, into.get());
}

TEST(Cuda, BoxFilter) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const Image<std::uint8_t> in = noise<std::uint8_t>(rng, width, height, padding, 255);
    const int radius = static_cast<int>(rng() % 9);
    const int first = static_cast<int>(rng() % static_cast<unsigned>(height));
    Image<std::uint8_t> expected(width, height - first, padding);
    const DeviceImage<std::uint8_t> on_device(in), out(expected);
    reference::box_filter(TestContext(), in.view(), first, expected.view(), radius);
    DeviceContext context;
    cuda::box_filter(context, on_device.view(), first, out.view(), radius);
    EXPECT_TRUE(same(expected, out.get()));
  });
}

TEST(Cuda, NBody) {
  Rng rng(test_seed());
  for (const std::size_t n : {1, 128, 300}) {
    const std::vector<Body> bodies = random_bodies(rng, n);
    const std::size_t first = n / 3;
    std::vector<Acceleration> expected(n - first);
    const DeviceArray<Body> on_device(bodies);
    const DeviceArray<Acceleration> out(expected);
    reference::n_body(TestContext(), bodies, first, 0.01F, expected);
    DeviceContext context;
    cuda::n_body(context, on_device.span(), first, 0.01F, out.span());
    EXPECT_EQ(expected, out.get()) << n;
  }
}

// In two tiles, one beside the other.
TEST(Cuda, HeatStep) {
  for_device_sizes([](Rng& rng, int width, int height, int) {
    Plate expected(width, height);
    expected.fill(rng);
    const DeviceImage<float> before(expected.before), now(expected.now);
    reference::heat_step(TestContext(), expected.tile(0, 0, width, height));
    DeviceContext context;
    const int wide = width / 3;
    for (const auto& [x, w] : {std::pair{0, wide}, {wide, width - wide}})
      cuda::heat_step(context, heat_tile(before.view(), now.view(), x, 0, w, height));
    EXPECT_TRUE(same(expected.now, now.get()));
  });
}

TEST(Cuda, MatchStrings) {
  for_device_sizes([](Rng& rng, int width, int height, int) {
    Strings expected(random_string(rng, height), random_string(rng, width));
    const DeviceArray<std::uint8_t> down(expected.down), across(expected.across);
    const DeviceImage<std::int32_t> scores(expected.scores);
    reference::match_strings(TestContext(), expected.tile(0, 0, width, height));
    DeviceContext context;
    const int high = height / 3;
    for (const auto& [y, h] : {std::pair{0, high}, {high, height - high}})
      cuda::match_strings(context, match_tile(down.span(), across.span(), scores.view(), 0, y, width, h));
    EXPECT_TRUE(same(expected.scores, scores.get()));
  });
}

TEST(Cuda, HeartStep) {
  for_device_sizes([](Rng& rng, int width, int height, int padding) {
    const int first = static_cast<int>(rng() % static_cast<unsigned>(height));
    Tissue expected = Tissue(rng, width, height, padding).part(first);
    const DeviceImage<float> potential(expected.potential), recovery(expected.recovery), next(expected.next);
    reference::heart_step(TestContext(), expected.step(first));
    DeviceContext context;
    cuda::heart_step(context, {potential.view(), first, recovery.view(), next.view()});
    EXPECT_TRUE(same(expected.next, next.get()));
    EXPECT_TRUE(same(expected.recovery, recovery.get()));
  });
}

TEST(Cuda, NearestNeighbours) {
  Rng rng(test_seed());
  for (const std::size_t count : {1, 33, 200}) {
    Points points(70, 3, count, std::min<std::size_t>(count, 5));
    points.fill(rng);
    const DeviceArray<float> queries(points.queries), data(points.points);
    const DeviceArray<Neighbour> nearest(points.nearest);
    reference::nearest_neighbours(TestContext(), points.search(0, 70));
    DeviceContext context;
    cuda::nearest_neighbours(context, {queries.span(), data.span(), 3, nearest.span(), points.k});
    EXPECT_EQ(points.nearest, nearest.get()) << count << " points";
  }
}

TEST(Cuda, FrequentItems) {
  Rng rng(test_seed());
  for (const std::size_t words : {1, 3, 70}) {
    const std::vector<std::uint64_t> items = random_items(rng, 9, words);
    const DeviceArray<std::uint64_t> transactions(items);
    for (const unsigned longest : {1U, 3U, 8U}) {
      std::vector<ItemCount> expected(7);
      const auto least = static_cast<std::uint32_t>(words * 8);
      reference::frequent_items(TestContext(), {items, words, least, longest}, 2, expected);
      const DeviceArray<ItemCount> counts(std::vector<ItemCount>(7, ItemCount{9, 9, 9}));
      DeviceContext context;
      cuda::frequent_items(context, {transactions.span(), words, least, longest}, 2, counts.span());
      EXPECT_EQ(expected, counts.get()) << words << " words, " << longest << " items";
    }
  }
}

}  // namespace
}  // namespace starpath
