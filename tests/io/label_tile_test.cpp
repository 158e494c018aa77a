// Packed tiles of labels, read back by zlib.
#include "io/exports/label_tile.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <algorithm>
#include <random>
#include <vector>

namespace starpath::io::test {
namespace {

constexpr auto kLabelSide = static_cast<std::size_t>(kLabelTileSide);

/// The labels of a packed tile: differences, added up again.
std::vector<std::uint32_t> labels_in(const std::vector<std::byte>& packed) {
  std::vector<std::uint32_t> pixels(kLabelSide * kLabelSide);
  auto size = static_cast<uLongf>(pixels.size() * sizeof pixels[0]);
  EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(pixels.data()), &size, reinterpret_cast<const Bytef*>(packed.data()),
                       static_cast<uLong>(packed.size())),
            Z_OK);
  EXPECT_EQ(size, pixels.size() * sizeof pixels[0]);
  for (std::size_t i = 0; i < pixels.size(); ++i)
    if (i % kLabelSide != 0) pixels[i] += pixels[i - 1];
  return pixels;
}

std::vector<std::uint32_t> labels_under(const std::vector<LabelRun>& runs, std::int64_t left) {
  std::vector<std::uint32_t> pixels(kLabelSide * kLabelSide, 0);
  for (const LabelRun& run : runs)
    for (std::int64_t x = std::max<std::int64_t>(run.x0 - left, 0); x < std::min(run.x1 - left, kLabelTileSide); ++x)
      pixels[static_cast<std::size_t>(run.y * kLabelTileSide + x)] = run.label;
  return pixels;
}

void expect_packs(const std::vector<LabelRun>& runs, std::int64_t left, const char* what) {
  LabelTilePacker packer;
  std::vector<std::byte> packed, again;
  packer.pack(runs, left, packed);
  EXPECT_TRUE(labels_in(packed) == labels_under(runs, left)) << what;
  packer.pack({}, 0, again);
  EXPECT_TRUE(labels_in(again) == labels_under({}, 0)) << "after " << what;
  packer.pack(runs, left, again);
  EXPECT_TRUE(packed == again) << what << ", a second time";
}

/// Discs in the order of their labels, as they lie over a tile and around it.
std::vector<LabelRun> discs(std::int64_t left, int count, int most_radius, std::uint32_t first_label,
                            std::uint32_t seed) {
  std::mt19937 random(seed);
  std::vector<LabelRun> runs;
  for (int i = 0; i < count; ++i) {
    const auto x = static_cast<std::int32_t>(left + static_cast<std::int64_t>(random() % 600) - 40);
    const auto y = static_cast<std::int32_t>(random() % 512);
    const auto radius = static_cast<std::int32_t>(1 + random() % static_cast<unsigned>(most_radius));
    for (std::int32_t dy = -radius; dy <= radius; ++dy) {
      const std::int32_t half = radius - std::abs(dy) / 2;
      const bool inside = y + dy >= 0 && y + dy < kLabelTileSide;
      if (inside && x + half > left && x - half < left + kLabelTileSide)
        runs.push_back({y + dy, x - half, x + half, first_label + static_cast<std::uint32_t>(i)});
    }
  }
  return runs;
}

TEST(LabelTile, DiscsOfAnyNumberSizeAndLabel) {
  for (const auto& [count, radius, label] :
       {std::tuple{1, 9, 1u}, {90, 12, 1'000'000u}, {700, 9, 1u << 24}, {3000, 30, 0xffff0000u}, {8000, 1, 255u}})
    for (const std::int64_t left : {std::int64_t{0}, std::int64_t{512} * 117})
      expect_packs(discs(left, count, radius, label, static_cast<std::uint32_t>(count)), left,
                   ::testing::PrintToString(count).c_str());
}

TEST(LabelTile, RunsAtTheBordersAndBehindThem) {
  expect_packs({{0, 0, 512, 1}}, 0, "the first row");
  expect_packs({{511, 0, 512, 1}}, 0, "the last row");
  expect_packs({{511, 511, 512, 0xffffffffu}}, 0, "the last pixel");
  expect_packs({{0, 0, 1, 7}, {511, 511, 512, 7}}, 0, "the corners");
  expect_packs({{3, 500, 1600, 9}, {4, 1000, 1030, 10}}, 512, "runs beyond the tile");
  std::vector<LabelRun> all;
  for (std::int32_t y = 0; y < 512; ++y) all.push_back({y, 0, 512, 5});
  expect_packs(all, 0, "a full tile");
}

TEST(LabelTile, NoiseHasAnEdgeAtEveryPixel) {
  std::mt19937 random(3);
  std::vector<LabelRun> runs;
  for (std::int32_t y = 0; y < 512; ++y)
    for (std::int32_t x = 0; x < 512; ++x)
      runs.push_back({y, x, x + 1, static_cast<std::uint32_t>(random() % 2 == 0 ? random() : random() % 3)});
  expect_packs(runs, 0, "noise");
}

TEST(LabelTile, TakesLessThanTwiceTheRoomOfZlib) {
  const std::vector<LabelRun> runs = discs(0, 90, 12, 700'000, 1);
  std::vector<std::uint32_t> steps = labels_under(runs, 0);
  for (std::size_t i = steps.size() - 1; i > 0; --i)
    if (i % kLabelSide != 0) steps[i] -= steps[i - 1];
  std::vector<std::byte> packed, by_zlib(std::size_t{1} << 20);
  LabelTilePacker().pack(runs, 0, packed);
  auto size = static_cast<uLongf>(by_zlib.size());
  ASSERT_EQ(compress2(reinterpret_cast<Bytef*>(by_zlib.data()), &size, reinterpret_cast<const Bytef*>(steps.data()),
                      static_cast<uLong>(steps.size() * sizeof steps[0]), 6),
            Z_OK);
  EXPECT_LT(packed.size(), 2 * size);
}

}  // namespace
}  // namespace starpath::io::test
