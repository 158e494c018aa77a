// Maps from files and folders of pieces.
#include "io/maps/map_image.hpp"

#include <gtest/gtest.h>

#include <filesystem>

#include "base/temporary_folder.hpp"
#include "tests/io/map_numbers.hpp"
#include "tests/io/tiff_files.hpp"
#include "tests/support/npy_file.hpp"

namespace starpath::io {
namespace {

using support::write_npy;
using test::expect_numbers;
using test::number_at;
using test::numbers;
using test::said_of;
using test::TiffOptions;
using test::write_tiff;

template <class Number>
std::string bytes_of(const std::vector<Number>& all) {
  return {reinterpret_cast<const char*>(all.data()), all.size() * sizeof(Number)};
}

class Maps : public ::testing::Test {
 protected:
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  const TemporaryFolder folder_;
};

TEST_F(Maps, OfOneArray) {
  write_npy(path("two.npy"), {30, 41}, numbers<std::uint32_t>(41, 30, 1, false));
  const MapImage map(path("two.npy"));
  EXPECT_EQ(map.channels(), 1);
  EXPECT_EQ(map.type(), NumberType::u32);
  EXPECT_EQ(map.extent(), (MapSize{41, 30}));
  expect_numbers(map, {0, 0, 41, 30});
  expect_numbers(map, {7, 11, 13, 5});
}

TEST_F(Maps, OfAnArrayWithChannelsFirstOrLast) {
  write_npy(path("last.npy"), {30, 41, 3}, numbers<float>(41, 30, 3, false));
  write_npy(path("first.npy"), {3, 30, 41}, numbers<double>(41, 30, 3, true));
  for (const char* name : {"last.npy", "first.npy"}) {
    const MapImage map(path(name));
    EXPECT_EQ(map.channels(), 3);
    EXPECT_EQ(map.extent(), (MapSize{41, 30}));
    expect_numbers(map, {7, 11, 13, 5});
  }
}

TEST_F(Maps, OfHalves) {
  // 1, -2, the smallest, one third, infinity.
  write_npy<std::uint16_t>(path("half.npy"), {1, 5}, {});
  const std::vector<std::uint16_t> bits = {0x3c00, 0xc000, 0x0001, 0x3555, 0x7c00};
  std::ofstream(path("half.npy"), std::ios::binary)
      << support::npy_bytes(support::npy_literal("<f2", {1, 5}), bytes_of(bits));
  std::vector<double> got(5);
  MapImage(path("half.npy")).read(0, {0, 0, 5, 1}, got.data(), 5);
  EXPECT_EQ(got[0], 1);
  EXPECT_EQ(got[1], -2);
  EXPECT_EQ(got[2], std::ldexp(1, -24));
  EXPECT_NEAR(got[3], 1 / 3.0, 1e-4);
  EXPECT_TRUE(std::isinf(got[4]));
}

TEST_F(Maps, OfATiff) {
  TiffOptions options;
  options.photometric = PHOTOMETRIC_MINISBLACK;
  options.bits = 32;
  options.compression = COMPRESSION_ADOBE_DEFLATE;
  for (const int tile : {0, 16})
    for (const int channels : {1, 2}) {
      options.tile = tile;
      options.samples = static_cast<std::uint16_t>(channels);
      write_tiff(path("a.tif"), {{41, 30, bytes_of(numbers<std::uint32_t>(41, 30, channels, false))}}, options);
      const MapImage map(path("a.tif"));
      EXPECT_EQ(map.channels(), channels);
      EXPECT_EQ(map.extent(), (MapSize{41, 30}));
      expect_numbers(map, {0, 0, 41, 30});
      expect_numbers(map, {7, 11, 13, 5});
    }
}

TEST_F(Maps, OfATiffWithAPageForEachChannel) {
  TiffOptions options;
  options.photometric = PHOTOMETRIC_MINISBLACK;
  options.samples = 1;
  options.bits = 32;
  options.tile = 16;
  const std::string all = bytes_of(numbers<std::uint32_t>(41, 30, 2, true));
  write_tiff(path("a.tif"),
             {{41, 30, all.substr(0, all.size() / 2)}, {41, 30, all.substr(all.size() / 2)}, {5, 4, all.substr(0, 80)}},
             options);
  const MapImage map(path("a.tif"));
  EXPECT_EQ(map.channels(), 2);
  expect_numbers(map, {7, 11, 13, 5});
}

TEST_F(Maps, OfPiecesByTheirFirstPixel) {
  std::filesystem::create_directory(path("pieces"));
  write_npy(path("pieces/0_0.npy"), {20, 30}, numbers<std::uint16_t>(30, 20, 1, false));
  write_npy(path("pieces/30_0.npy"), {9, 11}, numbers<std::uint16_t>(11, 9, 1, false, 30, 0));
  write_npy(path("pieces/a_x0_y20.npy"), {10, 41}, numbers<std::uint16_t>(41, 10, 1, false, 0, 20));
  std::filesystem::rename(path("pieces/a_x0_y20.npy"), path("pieces/0_20.npy"));
  const MapImage map(path("pieces"));
  EXPECT_TRUE(map.is_folder());
  EXPECT_EQ(map.extent(), (MapSize{41, 30}));
  EXPECT_EQ(map.covered(), 41 * 30 - 11 * 11);
  expect_numbers(map, {0, 0, 41, 9});
  expect_numbers(map, {25, 3, 16, 6});
  expect_numbers(map, {3, 15, 20, 15});
  std::vector<double> got(4);
  map.read(0, {39, 8, 2, 2}, got.data(), 2);
  EXPECT_EQ(got, (std::vector<double>{number_at(0, 39, 8), number_at(0, 40, 8), 0, 0}));
  EXPECT_EQ(map.parts_of({28, 8, 5, 20}).size(), 3u);
}

TEST_F(Maps, OfPiecesByRowAndColumn) {
  std::filesystem::create_directory(path("pieces"));
  for (const int row : {0, 1})
    for (const int column : {0, 1}) {
      const int width = column == 0 ? 30 : 11, height = row == 0 ? 20 : 10;
      write_npy(path("pieces/r" + std::to_string(row) + "_c" + std::to_string(column) + ".npy"), {height, width},
                numbers<std::uint16_t>(width, height, 1, false, 30 * column, 20 * row));
    }
  expect_numbers(MapImage(path("pieces")), {0, 0, 41, 30});
}

TEST_F(Maps, FingerprintsTellMapsApart) {
  std::vector<std::uint16_t> all = numbers<std::uint16_t>(30, 20, 1, false);
  write_npy(path("a.npy"), {20, 30}, all);
  const std::string first = MapImage(path("a.npy")).fingerprint();
  EXPECT_EQ(MapImage(path("a.npy")).fingerprint(), first);
  all[5] += 1;
  write_npy(path("a.npy"), {20, 30}, all);
  EXPECT_NE(MapImage(path("a.npy")).fingerprint(), first);
}

TEST_F(Maps, SayWhatIsWrong) {
  EXPECT_NE(said_of(path("none.npy")).find("none.npy: cannot be read (No such file"), std::string::npos);
  EXPECT_NE(said_of(path("none.h5")).find("its name ends neither with .npy nor with .tif"), std::string::npos);
  write_npy(path("four.npy"), {2, 2, 2, 2}, numbers<std::uint8_t>(4, 4, 1, false));
  EXPECT_NE(said_of(path("four.npy")).find("has 4 axes"), std::string::npos);
  write_npy(path("deep.npy"), {300, 2, 300}, std::vector<std::uint8_t>(180000));
  EXPECT_NE(said_of(path("deep.npy")).find("300x2x300, and no axis of at most 256 channels"), std::string::npos);
  constexpr std::int64_t long_side = std::int64_t{1} << 31;
  write_npy<std::uint8_t>(path("long.npy"), {1, long_side}, {});
  std::filesystem::resize_file(path("long.npy"), std::filesystem::file_size(path("long.npy")) + long_side);  // a hole
  EXPECT_NE(said_of(path("long.npy")).find("has 2147483648x1 pixels, and a side may have 2147483647"),
            std::string::npos);
  TiffOptions options;
  options.compression = COMPRESSION_JPEG;
  options.strip = 8;
  write_tiff(path("lossy.tif"), {rgb_page(test::pattern(40, 24))}, options);
  EXPECT_NE(said_of(path("lossy.tif")).find("is compressed by JPEG, which changes numbers"), std::string::npos);
  options.compression = COMPRESSION_NONE;
  write_tiff(path("half.tif"), {rgb_page(test::pattern(40, 24))}, options);
  std::filesystem::resize_file(path("half.tif"), 1500);
  EXPECT_NE(said_of(path("half.tif")).find("half.tif: "), std::string::npos);
}

TEST_F(Maps, SayWhatIsWrongWithPieces) {
  std::filesystem::create_directory(path("pieces"));
  EXPECT_NE(said_of(path("pieces")).find("holds no .npy and no .tif file"), std::string::npos);
  write_npy(path("pieces/0_0.npy"), {20, 30}, numbers<std::uint16_t>(30, 20, 1, false));
  write_npy(path("pieces/29_0.npy"), {20, 30}, numbers<std::uint16_t>(30, 20, 1, false));
  EXPECT_NE(
      said_of(path("pieces")).find("pieces overlap: '0_0.npy' is 30x20 at x=0 y=0, and '29_0.npy' 30x20 at x=29 y=0"),
      std::string::npos);
  std::filesystem::remove(path("pieces/29_0.npy"));
  write_npy(path("pieces/30_0.npy"), {20, 30}, numbers<std::uint8_t>(30, 20, 1, false));
  EXPECT_NE(said_of(path("pieces")).find("'0_0.npy' holds 1 channels of uint16, and '30_0.npy' 1 of uint8"),
            std::string::npos);
  std::filesystem::rename(path("pieces/30_0.npy"), path("pieces/r1_c1.npy"));
  EXPECT_NE(said_of(path("pieces")).find("mixes two ways of naming: '0_0.npy' and 'r1_c1.npy'"), std::string::npos);
  std::filesystem::rename(path("pieces/r1_c1.npy"), path("pieces/other.npy"));
  EXPECT_NE(said_of(path("pieces")).find("the name of 'other.npy' does not say where it lies"), std::string::npos);
}

}  // namespace
}  // namespace starpath::io
