// TIFF files as slides: layouts, kinds of pixels, pyramids, damage.
#include <cstdint>
#include <fstream>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

void expect_reads(const std::string& path, const Picture& picture) {
  const auto slide = open_slide(path);
  EXPECT_EQ(slide->info().format, "tiff");
  EXPECT_EQ(read_all(*slide), picture);
  for (const auto& [x, y] : {std::pair{-5, -6}, {30, 20}, {-500, 3}, {15, 15}})
    EXPECT_EQ(read(*slide, 0, x, y, 40, 35), crop(picture, x, y, 40, 35)) << x << "," << y;
}

TEST(TiffSlide, ReadsEveryLayout) {
  const TempFolder folder;
  const Picture picture = pattern(61, 47);
  for (const std::uint16_t compression :
       std::vector<std::uint16_t>{COMPRESSION_NONE, COMPRESSION_LZW, COMPRESSION_ADOBE_DEFLATE}) {
    for (const int tile : {0, 16, 32, 128}) {
      for (const int strip : {1, 7, 1000}) {
        write_tiff(folder / "a.tif", {rgb_page(picture)}, {.tile = tile, .strip = strip, .compression = compression});
        SCOPED_TRACE(::testing::Message() << "compression " << compression << " tile " << tile << " strip " << strip);
        expect_reads(folder / "a.tif", picture);
      }
    }
  }
}

TEST(TiffSlide, ReadsEveryKindOfPixel) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  const auto pixels_of = [&](const std::string& bytes, int width, const TiffOptions& options) {
    write_tiff(path, {{width, 1, bytes}}, options);
    return read_all(*open_slide(path)).pixels;
  };
  using Pixels = std::vector<Rgb>;
  EXPECT_EQ(pixels_of("\x07\x09", 2, {.samples = 1, .photometric = PHOTOMETRIC_MINISBLACK}),
            (Pixels{{7, 7, 7}, {9, 9, 9}}));
  EXPECT_EQ(pixels_of("\x07\x09", 2, {.samples = 1, .photometric = PHOTOMETRIC_MINISWHITE}),
            (Pixels{{248, 248, 248}, {246, 246, 246}}));
  EXPECT_EQ(pixels_of(std::string("\xff\xff\x80\x80\x00\x00", 6), 1, {.bits = 16}), (Pixels{{255, 128, 0}}));
  EXPECT_EQ(pixels_of(std::string("\x00\x00\x80\x80", 4), 2,
                      {.bits = 16, .samples = 1, .photometric = PHOTOMETRIC_MINISBLACK}),
            (Pixels{{0, 0, 0}, {128, 128, 128}}));
  std::vector<std::uint16_t> red(256, 0), green(256, 0), blue(256, 0);
  red[3] = 0xffff, green[3] = 0x8080, blue[4] = 0x1010;
  EXPECT_EQ(
      pixels_of(
          "\x03\x04", 2,
          {.samples = 1,
           .photometric = PHOTOMETRIC_PALETTE,
           .more = [&](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_COLORMAP, red.data(), green.data(), blue.data()); }}),
      (Pixels{{255, 128, 0}, {0, 0, 16}}));
  EXPECT_EQ(pixels_of(std::string("\x00\x64\xff\x33\x0a\x14\x1e\xff", 8), 2,
                      {.samples = 4,
                       .more =
                           [](TIFF* tiff) {
                             const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
                             TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
                           }}),
            (Pixels{{204, 224, 255}, {10, 20, 30}}));
}

// Photoshop's saved selections, infrared and other channels: libtiff takes an undeclared fourth one for transparency.
TEST(TiffSlide, AChannelThatIsNotDeclaredAsTransparencyIsNone) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  const auto pixels_of = [&](const std::string& bytes, TiffOptions options, int kind) {
    options.more = [=](TIFF* tiff) {
      const auto declared = static_cast<std::uint16_t>(kind);
      if (kind >= 0) TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &declared);
    };
    write_tiff(path, {{1, 1, bytes}}, options);
    const auto slide = open_slide(path);
    const Rgb pixel = read_all(*slide).pixels[0];
    return std::pair(pixel, !slide->warnings().empty());
  };
  constexpr int undeclared = -1;
  const std::string rgb("\x64\x32\x0a\x00", 4), gray("\x64\x33", 2);
  const TiffOptions four{.samples = 4}, two{.samples = 2, .photometric = PHOTOMETRIC_MINISBLACK};
  for (const int kind : {undeclared, EXTRASAMPLE_UNSPECIFIED}) {
    EXPECT_EQ(pixels_of(rgb, four, kind), std::pair(Rgb{100, 50, 10}, false)) << kind;
    EXPECT_EQ(pixels_of(gray, two, kind), std::pair(Rgb{100, 100, 100}, false)) << kind;
    const std::string deep("\x80\x80\x40\x40\xff\xff\x00\x00", 8);
    EXPECT_EQ(pixels_of(deep, {.bits = 16, .samples = 4}, kind), std::pair(Rgb{128, 64, 255}, false)) << kind;
  }
  EXPECT_EQ(pixels_of(rgb, four, EXTRASAMPLE_UNASSALPHA), std::pair(Rgb{255, 255, 255}, true));
  EXPECT_EQ(pixels_of(gray, two, EXTRASAMPLE_UNASSALPHA), std::pair(Rgb{224, 224, 224}, true));
  EXPECT_EQ(pixels_of(gray, two, EXTRASAMPLE_ASSOCALPHA), std::pair(Rgb{255, 255, 255}, true));
}

TEST(TiffSlide, SaysHowMuchIsTransparent) {
  const TempFolder folder;
  std::string bytes;
  for (int i = 0; i < 64; ++i) bytes += std::string("\x64\x32\x0a", 3) + (i < 48 ? '\x10' : '\xff');
  write_tiff(folder / "a.tif", {{8, 8, bytes}}, {.samples = 4, .more = [](TIFF* tiff) {
                                                   const std::uint16_t kind = EXTRASAMPLE_UNASSALPHA;
                                                   TIFFSetField(tiff, TIFFTAG_EXTRASAMPLES, 1, &kind);
                                                 }});
  const auto slide = open_slide(folder / "a.tif");
  read_all(*slide);
  ASSERT_EQ(slide->warnings().size(), 1u);
  EXPECT_NE(slide->warnings()[0].find("75 % of the pixels read are transparent"), std::string::npos);
}

/// Two pixels of 12 bits in 16: white, and the half of it.
std::string twelve_bits(int samples) {
  std::string bytes;
  for (const std::uint16_t value : std::vector<std::uint16_t>{4095, 2048})
    for (int i = 0; i < samples; ++i) bytes.append(reinterpret_cast<const char*>(&value), sizeof value);
  return bytes;
}

TEST(TiffSlide, ValuesThatFillAPartOfTheirBitsAreScaledByWhatTheFileSays) {
  const TempFolder folder;
  const auto pixels_of = [&](TiffOptions options, const std::function<void(TIFF*)>& say) {
    options.bits = 16;
    options.more = say;
    write_tiff(folder / "a.tif", {{2, 1, twelve_bits(options.samples)}}, options);
    const auto slide = open_slide(folder / "a.tif");
    return std::pair(read_all(*slide).pixels, slide->warnings());
  };
  const std::vector<Rgb> meant = {{255, 255, 255}, {128, 128, 128}}, dark = {{16, 16, 16}, {8, 8, 8}};
  const auto max_sample = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_MAXSAMPLEVALUE, 4095); };
  const auto say_text = [](const char* text) {
    return [text](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, text); };
  };
  const auto ome = say_text(
      "<OME><Image><Pixels SizeX=\"2\" SizeY=\"1\" SizeC=\"3\" Type=\"uint16\" SignificantBits=\"12\"/></Image></OME>");
  const auto imagej = say_text("ImageJ=1.54f\nmin=0.0\nmax=4095.0\n");
  for (const int tile : {0, 16})
    for (const auto& say : std::vector<std::function<void(TIFF*)>>{max_sample, ome, imagej}) {
      const auto [pixels, warnings] = pixels_of({.tile = tile, .compression = COMPRESSION_LZW}, say);
      EXPECT_EQ(pixels, meant);
      EXPECT_TRUE(warnings.empty());
    }
  const TiffOptions gray{.samples = 1, .photometric = PHOTOMETRIC_MINISBLACK};
  EXPECT_EQ(pixels_of(gray, max_sample).first, meant);
  const auto [pixels, warnings] = pixels_of({}, [](TIFF*) {});
  EXPECT_EQ(pixels, dark);
  ASSERT_EQ(warnings.size(), 1u);
  EXPECT_NE(warnings[0].find("its values of 16 bits fill 12 of them (up to 4095)"), std::string::npos) << warnings[0];
}

TEST(TiffSlide, ReadsJpegTilesInYCbCr) {
  const TempFolder folder;
  write_tiff(folder / "a.tif", {rgb_page(Picture(48, 48, {200, 100, 50}))},
             {.tile = 16, .compression = COMPRESSION_JPEG, .photometric = PHOTOMETRIC_YCBCR});
  for (const Rgb& p : read_all(*open_slide(folder / "a.tif")).pixels) {
    ASSERT_NEAR(p.r, 200, 3);
    ASSERT_NEAR(p.g, 100, 3);
    ASSERT_NEAR(p.b, 50, 3);
  }
}

TEST(TiffSlide, SmallerPagesOfTheSamePictureAreLevels) {
  const TempFolder folder;
  const Picture base = pattern(64, 48, 1), half = pattern(32, 24, 2), label = pattern(30, 30, 3),
                eighth = pattern(8, 6, 4);
  write_tiff(folder / "a.tif", {rgb_page(base), rgb_page(label), rgb_page(eighth), rgb_page(half)}, {.tile = 16});
  const auto slide = open_slide(folder / "a.tif");
  ASSERT_EQ(slide->info().levels.size(), 3u);
  EXPECT_EQ(slide->info().levels[1].downsample, 2);
  EXPECT_EQ(slide->info().levels[2].downsample, 8);
  EXPECT_EQ(read_all(*slide, 0), base);
  EXPECT_EQ(read_all(*slide, 1), half);
  EXPECT_EQ(read_all(*slide, 2), eighth);
  EXPECT_EQ(read(*slide, 1, 20, -3, 30, 30), crop(half, 20, -3, 30, 30));
}

TEST(TiffSlide, TakesTheResolutionOfAMicroscopeOnly) {
  const TempFolder folder;
  const auto mpp_of = [&](std::uint16_t unit, double resolution, double of_rows = 1) {
    write_tiff(folder / "a.tif", {rgb_page(pattern(4, 4))}, {.more = [&](TIFF* tiff) {
                 TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, unit);
                 TIFFSetField(tiff, TIFFTAG_XRESOLUTION, resolution);
                 TIFFSetField(tiff, TIFFTAG_YRESOLUTION, of_rows * resolution);
               }});
    return open_slide(folder / "a.tif")->info().mpp;
  };
  EXPECT_NEAR(mpp_of(RESUNIT_CENTIMETER, 20000), 0.5, 1e-9);
  EXPECT_NEAR(mpp_of(RESUNIT_INCH, 101600), 0.25, 1e-9);
  EXPECT_EQ(mpp_of(RESUNIT_INCH, 72), 0);
  EXPECT_EQ(mpp_of(RESUNIT_NONE, 20000), 0);
  EXPECT_NEAR(mpp_of(RESUNIT_CENTIMETER, 20000, 1.02), (0.5 + 0.5 / 1.02) / 2, 1e-6);
  EXPECT_EQ(mpp_of(RESUNIT_CENTIMETER, 20000, 2), 0) << "pixels are no squares";
}

TEST(TiffSlide, ADamagedTileIsAnErrorThatNamesItAndTheOthersAreRead) {
  const TempFolder folder;
  const std::string path = folder / "a.tif";
  const Picture picture = pattern(64, 64);
  write_tiff(path, {rgb_page(picture)}, {.tile = 16, .compression = COMPRESSION_ADOBE_DEFLATE});
  damage_tile(path, 5);  // column 1, row 1
  const auto slide = open_slide(path);
  for (int again = 0; again < 2; ++again) {
    const std::string message = error_of(ErrorKind::input, [&] { read(*slide, 0, 0, 0, 20, 20); });
    EXPECT_NE(message.find("a.tif: cannot read level 0, region x=16 y=16 16x16: "), std::string::npos) << message;
    EXPECT_EQ(read(*slide, 0, 32, 16, 32, 32), crop(picture, 32, 16, 32, 32));
  }
}

TEST(TiffSlide, ADamagedJpegTileIsAnError) {
  const TempFolder folder;
  write_tiff(folder / "a.tif", {rgb_page(pattern(64, 64))},
             {.tile = 16, .compression = COMPRESSION_JPEG, .photometric = PHOTOMETRIC_YCBCR});
  damage_tile(folder / "a.tif", 5);
  const auto slide = open_slide(folder / "a.tif");
  error_of(ErrorKind::input, [&] { read_all(*slide); });
  read(*slide, 0, 0, 0, 16, 16);
}

TEST(TiffSlide, EveryTruncationIsOneClearError) {
  const TempFolder folder;
  for (const int tile : {0, 16}) {
    write_tiff(folder / "whole.tif", {rgb_page(pattern(40, 40))}, {.tile = tile});
    const std::string bytes = read_bytes(folder / "whole.tif");
    for (std::size_t size = 4; size < bytes.size(); size += 97) {
      write_bytes(folder / "cut.tif", bytes.substr(0, size));
      EXPECT_NE(open_error(folder / "cut.tif").find("cut.tif: TIFF"), std::string::npos) << size;
    }
  }
}

TEST(TiffSlide, RefusesWhatItWouldShowWrongly) {
  const TempFolder folder;
  write_tiff(folder / "turned.tif", {rgb_page(pattern(4, 4))},
             {.more = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_ORIENTATION, ORIENTATION_RIGHTTOP); }});
  EXPECT_NE(open_error(folder / "turned.tif").find("rotated or mirrored"), std::string::npos);
  write_tiff(folder / "float.tif", {{1, 1, std::string(4, '\0')}},
             {.bits = 32, .samples = 1, .photometric = PHOTOMETRIC_MINISBLACK, .more = [](TIFF* tiff) {
                TIFFSetField(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_IEEEFP);
              }});
  EXPECT_NE(open_error(folder / "float.tif").find("of a kind that is not read"), std::string::npos);
  for (const auto photometric : {std::uint16_t{PHOTOMETRIC_RGB}, std::uint16_t{PHOTOMETRIC_MINISBLACK}}) {
    write_tiff(folder / "five.tif", {{2, 2, std::string(20, '\x7f')}}, {.samples = 5, .photometric = photometric});
    EXPECT_NE(open_error(folder / "five.tif").find("has 5 channels"), std::string::npos);
  }
}

TEST(TiffSlide, RefusesAStackOfImages) {
  const TempFolder folder;
  const Picture base = pattern(64, 48, 1);
  write_tiff(folder / "stack.tif", {rgb_page(base), rgb_page(pattern(32, 24, 2)), rgb_page(pattern(64, 48, 3))},
             {.tile = 16});
  EXPECT_NE(open_error(folder / "stack.tif").find("holds a stack of 2 images of 64x48 pixels, and one is read; save"),
            std::string::npos)
      << open_error(folder / "stack.tif");
}

TEST(TiffSlide, RefusesAStackThatImageJWroteWithOneDirectory) {
  const TempFolder folder;
  const auto write = [&](const char* description) {
    write_tiff(folder / "a.tif", {rgb_page(pattern(64, 48, 1))},
               {.more = [=](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, description); }});
  };
  write("ImageJ=1.54f\nimages=7\nslices=7\nloop=false\n");
  EXPECT_NE(open_error(folder / "a.tif").find("holds a stack of 7 images of 64x48"), std::string::npos);
  for (const char* single : {"ImageJ=1.54f\nunit=micron\n", "ImageJ=1.54f\nimages=1\n", "no\nimages=7\n"}) {
    write(single);
    EXPECT_EQ(open_slide(folder / "a.tif")->info().levels.size(), 1u) << single;
  }
}

TEST(TiffSlide, PagesThatSayTheyAreReducedOrMasksAreNoStack) {
  for (const std::uint32_t kind : {FILETYPE_REDUCEDIMAGE, FILETYPE_MASK}) {
    const TempFolder folder;
    int page = 0;
    write_tiff(folder / "a.tif", {rgb_page(pattern(64, 48, 1)), rgb_page(pattern(64, 48, 2))},
               {.tile = 16, .more = [&](TIFF* tiff) {
                  if (page++ > 0) TIFFSetField(tiff, TIFFTAG_SUBFILETYPE, kind);
                }});
    EXPECT_EQ(open_slide(folder / "a.tif")->info().levels.size(), 1u);
  }
}

TEST(TiffSlide, NamesACompressionThatItDoesNotRead) {
  const TempFolder folder;
  write_tiff(folder / "plain.tif", {rgb_page(pattern(4, 4))}, {});
  std::ifstream in(folder / "plain.tif", std::ios::binary);
  std::string bytes{std::istreambuf_iterator<char>(in), {}};
  const std::string entry("\x03\x01\x03\0\x01\0\0\0\x01\0", 10);  // tag 259, one short: 1
  const std::size_t at = bytes.find(entry);
  ASSERT_NE(at, std::string::npos);
  bytes.replace(at + 8, 2, "\xeb\x80");  // 33003
  std::ofstream(folder / "wavelets.tif", std::ios::binary) << bytes;
  EXPECT_NE(open_error(folder / "wavelets.tif").find("JPEG 2000"), std::string::npos);
}

TEST(TiffSlide, APieceThatClaimsMoreThanItsBytesHoldTakesNoMemory) {
  const TempFolder folder;
  TIFF* tiff = TIFFOpen((folder / "claim.tif").c_str(), "w");
  for (const auto& [tag, value] : {std::pair{TIFFTAG_IMAGEWIDTH, 16384},
                                   {TIFFTAG_IMAGELENGTH, 16384},
                                   {TIFFTAG_TILEWIDTH, 16384},
                                   {TIFFTAG_TILELENGTH, 16384},
                                   {TIFFTAG_BITSPERSAMPLE, 8},
                                   {TIFFTAG_SAMPLESPERPIXEL, 3},
                                   {TIFFTAG_PHOTOMETRIC, PHOTOMETRIC_RGB},
                                   {TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG},
                                   {TIFFTAG_COMPRESSION, COMPRESSION_LZW}})
    TIFFSetField(tiff, static_cast<std::uint32_t>(tag), value);
  std::string bytes(40, 'x');
  ASSERT_EQ(TIFFWriteRawTile(tiff, 0, bytes.data(), 40), 40);
  TIFFClose(tiff);
  const auto slide = open_slide(folder / "claim.tif");
  const std::string message = error_of(ErrorKind::input, [&] { read(*slide, 0, 0, 0, 8, 8); });
  EXPECT_NE(message.find("claims more pixels than its bytes can hold"), std::string::npos) << message;
}

TEST(TiffSlide, ServesManyThreads) {
  const TempFolder folder;
  const Picture picture = pattern(200, 200);
  for (const int tile : {0, 32}) {
    write_tiff(folder / "a.tif", {rgb_page(picture)}, {.tile = tile, .compression = COMPRESSION_LZW});
    const auto slide = open_slide(folder / "a.tif");
    std::vector<int> wrong(6, 0);
    std::vector<std::thread> threads;
    for (int t = 0; t < 6; ++t) {
      threads.emplace_back([&, t] {
        for (int i = 0; i < 30; ++i) {
          const int x = (i * 37 + t * 11) % 150, y = (i * 53 + t * 29) % 150;
          wrong[static_cast<std::size_t>(t)] += read(*slide, 0, x, y, 60, 60) != crop(picture, x, y, 60, 60);
        }
      });
    }
    for (std::thread& thread : threads) thread.join();
    EXPECT_EQ(wrong, std::vector<int>(6, 0));
  }
}

}  // namespace
}  // namespace starpath::io::test
