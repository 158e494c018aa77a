// What open_slide says of inputs that are no slide, and the slide OpenSlide is tested on.
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "io/slides/working_slide.hpp"
#include "slide_files.hpp"
#include "tests/support/real_slide.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

TEST(OpenSlide, NamesWhatIsWrongWithTheInput) {
  const TempFolder folder;
  const auto error_with = [&](const std::string& bytes) {
    write_bytes(folder / "file.svs", bytes);
    return open_error(folder / "file.svs");
  };
  EXPECT_NE(open_error(folder / "nothing.svs").find("nothing.svs: no such file"), std::string::npos);
  EXPECT_NE(open_error("").find("no such file"), std::string::npos);
  EXPECT_NE(error_with("").find("is empty"), std::string::npos);
  EXPECT_NE(error_with("Dear diary,\n").find("is a text file"), std::string::npos);
  EXPECT_NE(error_with("GIF89a....").find("is a GIF image"), std::string::npos);
  EXPECT_NE(error_with(std::string("\x01\x02\x00\x03", 4)).find("no known image format"), std::string::npos);
  EXPECT_NE(open_error("/dev/null").find("is not a regular file"), std::string::npos);
  EXPECT_NE(open_error(folder / "file.svs/more").find("file.svs/more: "), std::string::npos);
}

TEST(OpenSlide, NamesMissingPermissions) {
  if (geteuid() == 0) GTEST_SKIP() << "root may read everything";
  const TempFolder folder;
  write_png(folder / "a.png", pattern(4, 4));
  std::filesystem::permissions(folder / "a.png", std::filesystem::perms::none);
  EXPECT_NE(open_error(folder / "a.png").find("cannot be opened: Permission denied"), std::string::npos);
}

/// A slide of 40 x 24 pixels that OpenSlide takes for one of Aperio's.
std::unique_ptr<Slide> aperio_slide(const std::string& path, const char* properties) {
  TiffOptions options;
  options.tile = 16;
  options.compression = COMPRESSION_LZW;  // OpenSlide 3.4 decodes none of these tiles without
  options.more = [&](TIFF* tiff) {
    TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION,
                 (std::string("Aperio Image Library v11.2.1\r\n40x24 ") + properties).c_str());
  };
  write_tiff(path, {rgb_page(pattern(40, 24))}, options);
  return open_slide(path);
}

// A scanner's description may name a property and say nothing of it.
TEST(OpenSlide, PropertiesWithoutAValueAreLeftOut) {
  const TempFolder folder;
  const auto slide = aperio_slide(folder / "slide.svs", "|Filename|MPP = 0.25");
  EXPECT_EQ(slide->info().format, "aperio");
  EXPECT_EQ(slide->info().mpp, 0.25);
  EXPECT_FALSE(slide->info().properties.contains("aperio.Filename"));
}

TEST(OpenSlide, WhatLiesOutsideIsWhite) {
  const TempFolder folder;
  const auto slide = aperio_slide(folder / "slide.svs", "|MPP = 0.25");
  for (const auto& [x, y] :
       {std::pair{0, 0}, {30, 20}, {-5, -5}, {40, 0}, {50, 10}, {10, 24}, {10, 60}, {-90, 0}, {5000, 5000}})
    EXPECT_EQ(read(*slide, 0, x, y, 16, 12), crop(pattern(40, 24), x, y, 16, 12)) << x << "," << y;
}

class RealSlide : public ::testing::Test {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(support::real_slide()))
      GTEST_SKIP() << support::real_slide() << " is not here; set STARPATH_DATA";
  }
};

TEST_F(RealSlide, IsDescribed) {
  const auto slide = open_slide(support::real_slide());
  EXPECT_EQ(slide->info().format, "aperio");
  EXPECT_EQ(slide->info().mpp, 0.499);
  EXPECT_EQ(slide->info().width(), 2220);
  EXPECT_EQ(slide->info().height(), 2967);
  EXPECT_EQ(slide->info().fingerprint.size(), 64u);
  EXPECT_EQ(slide->info().properties.at("aperio.MPP"), "0.4990");
}

TEST_F(RealSlide, RegionsAgreeHoweverTheyAreCut) {
  const auto slide = open_slide(support::real_slide());
  const Picture whole = read_all(*slide);
  int tissue = 0;
  for (const Rgb& p : whole.pixels) tissue += p.g < 200;
  EXPECT_GT(tissue, 500'000);
  for (const auto& [x, y] : {std::pair{-30, -40}, {1000, 1000}, {2100, 2900}, {513, 1777}})
    EXPECT_EQ(read(*slide, 0, x, y, 300, 200), crop(whole, x, y, 300, 200)) << x << "," << y;
  const WorkingSlide half(*slide, 1.0, 0);
  const auto read_half = [&](int x, int y, int w, int h) {
    return read_with(w, h, [&](View<Rgb> out) { half.read(x, y, out); });
  };
  EXPECT_EQ(read_half(700, 811, 100, 90), crop(read_half(400, 600, 600, 600), 300, 211, 100, 90));
}

TEST_F(RealSlide, ServesManyThreads) {
  const auto slide = open_slide(support::real_slide());
  const Picture whole = read_all(*slide);
  std::vector<int> wrong(4, 0);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; i < 10; ++i) {
        const int x = (i * 377 + t * 511) % 2000, y = (i * 533 + t * 729) % 2700;
        wrong[static_cast<std::size_t>(t)] += read(*slide, 0, x, y, 200, 200) != crop(whole, x, y, 200, 200);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(wrong, std::vector<int>(4, 0));
}

TEST_F(RealSlide, TruncatedIsOneClearError) {
  const TempFolder folder;
  const std::string bytes = read_bytes(support::real_slide());
  for (const double share : {0.001, 0.3, 0.9}) {
    write_bytes(folder / "cut.svs",
                bytes.substr(0, static_cast<std::size_t>(share * static_cast<double>(bytes.size()))));
    EXPECT_NE(open_error(folder / "cut.svs").find("cut.svs: "), std::string::npos) << share;
  }
}

// OpenSlide's handle is of no use after a failed read; ours must be.
TEST_F(RealSlide, OtherRegionsAreReadAfterADamagedOne) {
  const TempFolder folder;
  const auto original = open_slide(support::real_slide());
  std::string bytes = read_bytes(support::real_slide());
  std::fill(bytes.begin() + 40'000, bytes.begin() + 60'000, '\xff');  // the first few JPEG tiles
  write_bytes(folder / "damaged.svs", bytes);
  const auto slide = open_slide(folder / "damaged.svs");
  for (int again = 0; again < 2; ++again) {
    const std::string message = error_of(ErrorKind::input, [&] { read(*slide, 0, 0, 0, 2220, 700); });
    EXPECT_NE(message.find("damaged.svs: cannot read level 0, region x="), std::string::npos) << message;
    EXPECT_EQ(read(*slide, 0, 500, 2000, 300, 300), read(*original, 0, 500, 2000, 300, 300));
  }
}

}  // namespace
}  // namespace starpath::io::test
