// Damaged and missing pieces: what they cost, and how they are told.
#include "io/slides/gaps.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"
#include "io/slides/opening.hpp"
#include "io/slides/overview.hpp"
#include "io/slides/patched_slide.hpp"
#include "io/slides/working_slide.hpp"
#include "io/tissue/tissue.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

constexpr int kSide = 16;  // of tiles

/// Each pixel the mean of 2 x 2, rounded.
Picture half_of(const Picture& whole) {
  Picture half(whole.width / 2, whole.height / 2);
  for (int y = 0; y < half.height; ++y)
    for (int x = 0; x < half.width; ++x) {
      const auto mean = [&](std::uint8_t Rgb::*channel) {
        int sum = 2;
        for (const auto& [i, j] : {std::pair{0, 0}, {1, 0}, {0, 1}, {1, 1}})
          sum += whole.at(2 * x + i, 2 * y + j).*channel;
        return static_cast<std::uint8_t>(sum / 4);
      };
      half.at(x, y) = {mean(&Rgb::r), mean(&Rgb::g), mean(&Rgb::b)};
    }
  return half;
}

int largest_difference(const Picture& a, const Picture& b) {
  int most = 0;
  for (std::size_t i = 0; i < a.pixels.size(); ++i)
    for (std::uint8_t Rgb::*channel : {&Rgb::r, &Rgb::g, &Rgb::b})
      most = std::max(most, std::abs(a.pixels[i].*channel - b.pixels[i].*channel));
  return most;
}

Picture with_white(Picture picture, int x, int y, int width, int height) {
  for (int j = y; j < y + height; ++j)
    for (int i = x; i < x + width; ++i) picture.at(i, j) = {255, 255, 255};
  return picture;
}

/// A whole picture of 64 x 64 pixels and its halves, in tiles.
class DamagedTiff : public ::testing::Test {
 protected:
  void write(
      const std::function<bool(int, int)>& left_out = [](int, int) { return false; },
      std::uint16_t compression = COMPRESSION_ADOBE_DEFLATE) {
    write_tiff(path_, {rgb_page(whole_), rgb_page(half_), rgb_page(quarter_)},
               {.tile = kSide, .compression = compression, .left_out = left_out});
  }
  /// All of a level and what of it is missing.
  std::pair<Picture, std::vector<Gap>> around_gaps(const Slide& slide, int level) {
    const SlideLevel& size = slide.info().levels.at(static_cast<std::size_t>(level));
    Picture picture(static_cast<int>(size.width), static_cast<int>(size.height), {1, 2, 3});
    auto gaps = slide.read_around_gaps(level, 0, 0, picture.view());
    return {picture, gaps};
  }

  const TempFolder folder_;
  const std::string path_ = folder_ / "a.tif";
  const Picture whole_ = pattern(64, 64), half_ = half_of(whole_), quarter_ = half_of(half_);
};

TEST_F(DamagedTiff, TilesOfLengthZeroAreGround) {
  for (const std::uint16_t compression :
       std::vector<std::uint16_t>{COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
    write([](int page, int tile) { return page == 0 && tile == 5; }, compression);
    const auto slide = open_slide(path_);
    EXPECT_EQ(read_all(*slide, 0), with_white(whole_, 16, 16, 16, 16)) << compression;
    EXPECT_TRUE(slide->warnings().empty());
  }
}

TEST_F(DamagedTiff, AMaskOfLeftOutTilesIsBlackThere) {
  write([](int page, int tile) { return page == 0 && tile == 5; });
  const auto mask = open_slide(path_, Opening{.ground = 0});
  EXPECT_EQ(read(*mask, 0, 16, 16, 16, 16), Picture(16, 16, {0, 0, 0}));
}

TEST_F(DamagedTiff, TilesLeftOutOfAReducedLevelShowTheSlide) {
  write([](int page, int tile) { return page == 1 && tile == 0; });
  const auto slide = open_slide(path_);
  EXPECT_EQ(read_all(*slide, 0), whole_);
  EXPECT_LE(largest_difference(read_all(*slide, 1), half_), 1);
  EXPECT_EQ(read(*slide, 1, 16, 0, 16, 32), crop(half_, 16, 0, 16, 32)) << "other tiles";
  EXPECT_TRUE(slide->warnings().empty());
}

TEST_F(DamagedTiff, OnlyTheDamagedTileIsAGap) {
  write();
  damage_tile(path_, 5);
  damage_tile(path_, 15);
  const auto slide = open_slide(path_);
  const auto [picture, gaps] = around_gaps(*slide, 0);
  EXPECT_EQ(picture, with_white(with_white(whole_, 16, 16, 16, 16), 48, 48, 16, 16));
  ASSERT_EQ(gaps.size(), 2u);
  EXPECT_EQ(std::tuple(gaps[0].x, gaps[0].y, gaps[0].width, gaps[0].height), std::tuple(16, 16, 16, 16));
  EXPECT_NE(gaps[0].why.find("a.tif: cannot read level 0, region x=16 y=16 16x16"), std::string::npos) << gaps[0].why;
  EXPECT_EQ(slide->warnings().size(), 2u);
  EXPECT_TRUE(slide->read_around_gaps(0, 32, 0, Picture(32, 32).view()).empty());
}

TEST_F(DamagedTiff, ADamagedStripIsAGap) {
  write_tiff(path_, {rgb_page(whole_)}, {.strip = 8, .compression = COMPRESSION_ADOBE_DEFLATE});
  damage_tile(path_, 3);
  const auto [picture, gaps] = around_gaps(*open_slide(path_), 0);
  EXPECT_EQ(picture, with_white(whole_, 0, 24, 64, 8));
  EXPECT_EQ(gaps.size(), 1u);
}

TEST_F(DamagedTiff, ADamagedReducedLevelIsPassedOverForAFinerOne) {
  write();
  damage_tile(path_, 0, 1);
  damage_tile(path_, 0, 2);
  const auto slide = open_slide(path_);
  EXPECT_LE(largest_difference(read_all(*slide, 2), quarter_), 1);
  EXPECT_LE(largest_difference(read(*slide, 1, 5, 7, 20, 20), crop(half_, 5, 7, 20, 20)), 1);
  EXPECT_EQ(read(*slide, 1, 16, 16, 16, 16), crop(half_, 16, 16, 16, 16)) << "a whole tile";
  ASSERT_EQ(slide->warnings().size(), 2u);
  EXPECT_NE(slide->warnings()[0].find("level 1 is damaged"), std::string::npos) << slide->warnings()[0];
  EXPECT_NE(slide->warnings()[1].find("level 2 is damaged"), std::string::npos) << slide->warnings()[1];
}

TEST_F(DamagedTiff, WhereEveryLevelIsDamagedTheFinestDecides) {
  write();
  damage_tile(path_, 0, 0);
  damage_tile(path_, 0, 1);
  const auto slide = open_slide(path_);
  error_of(ErrorKind::input, [&] { read_all(*slide, 1); });
  const auto [picture, gaps] = around_gaps(*slide, 1);
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(std::tuple(gaps[0].x, gaps[0].y, gaps[0].width, gaps[0].height), std::tuple(0, 0, 16, 16));
  EXPECT_LE(largest_difference(picture, with_white(half_, 0, 0, 8, 8)), 1);
}

TEST_F(DamagedTiff, OverviewTissueAndGridGoAround) {
  const Picture tissue(512, 512, {120, 60, 140});
  write_tiff(path_, {rgb_page(tissue), rgb_page(half_of(tissue))},
             {.tile = 256, .compression = COMPRESSION_ADOBE_DEFLATE});
  damage_tile(path_, 0);
  damage_tile(path_, 0, 1);
  const auto slide = open_slide(path_);
  const WorkingSlide grid(*slide, 0.5, 0.5);
  Overview overview = read_overview(*slide, grid, {0, 0, 512, 512}, 128);
  EXPECT_EQ(overview.view().at(5, 5), (Rgb{255, 255, 255}));
  EXPECT_EQ(overview.view().at(100, 100), (Rgb{120, 60, 140}));
  EXPECT_EQ(overview.view().at(100, 5), (Rgb{120, 60, 140})) << "the level is damaged there, and the slide is not";
  const Tissue found = find_tissue(*slide, 0.5, {.least_mm2 = 0});
  EXPECT_NEAR(found.mm2(), 0.75 * 512 * 512 * 0.25e-6, 1e-9);
}

/// One pixel cannot be read. As OpenSlide's, its errors name all that was asked for.
class DamagedPixel final : public Slide {
 public:
  const SlideInfo& info() const override { return whole_.info(); }
  void read(int level, std::int64_t x, std::int64_t y, View<Rgb> out) const override {
    if (x <= 300 && x + out.width > 300 && y <= 200 && y + out.height > 200)
      throw Error(ErrorKind::input, "cannot read " + std::to_string(out.width) + "x" + std::to_string(out.height));
    whole_.read(level, x, y, out);
  }

 private:
  const PictureSlide whole_{{pattern(700, 500)}, 0.5};
};

TEST(Gaps, OfOtherSlidesAreSmallToo) {
  const DamagedPixel slide;
  Picture picture(700, 500);
  const auto gaps = slide.read_around_gaps(0, 0, 0, picture.view());
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_LE(gaps[0].width * gaps[0].height, 64 * 64);
  EXPECT_EQ(picture, with_white(pattern(700, 500), static_cast<int>(gaps[0].x), static_cast<int>(gaps[0].y),
                                static_cast<int>(gaps[0].width), static_cast<int>(gaps[0].height)));
}

TEST(Gaps, AnErrorNamesThePieceAndNotAllThatWasAskedFor) {
  const auto slide = make_patched_slide(std::make_unique<DamagedPixel>());
  EXPECT_EQ(error_of(ErrorKind::input, [&] { read_all(*slide); }), "cannot read 64x64");
  EXPECT_TRUE(slide->warnings().empty()) << "the error has said it";
  EXPECT_EQ(read(*slide, 0, 0, 0, 300, 500), crop(pattern(700, 500), 0, 0, 300, 500));
}

TEST(Gaps, AreToldOnceAndNotAllOfThem) {
  std::vector<Gap> gaps;
  for (int i = 0; i < 40; ++i) gaps.push_back({i / 2, 0, 1, 1, "place " + std::to_string(i / 2)});
  const auto lines = gap_lines(gaps);
  ASSERT_EQ(lines.size(), 9u);
  EXPECT_EQ(lines[0], "place 0");
  EXPECT_EQ(lines[8], "12 more places cannot be read");
}

}  // namespace
}  // namespace starpath::io::test
