// PNG images as slides.
#include <png.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csetjmp>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <vector>

#include "slide_files.hpp"
#include "tests/io/results_fixture.hpp"

namespace starpath::io::test {
namespace {

TEST(PngSlide, ReadsRegionsAcrossBorders) {
  const TempFolder folder;
  const Picture picture = pattern(37, 23);
  write_png(folder / "a.png", picture);
  const auto slide = open_slide(folder / "a.png");
  EXPECT_EQ(slide->info().format, "png");
  EXPECT_EQ(slide->info().mpp, 0);
  EXPECT_EQ(slide->info().levels.size(), 1u);
  EXPECT_EQ(read_all(*slide), picture);
  for (const auto& [x, y] : {std::pair{-5, -6}, {30, 20}, {-50, 3}, {5, 400}})
    EXPECT_EQ(read(*slide, 0, x, y, 20, 15), crop(picture, x, y, 20, 15)) << x << "," << y;
}

TEST(PngSlide, OnePixelIsASlide) {
  const TempFolder folder;
  write_png(folder / "a.png", Picture(1, 1, {9, 8, 7}));
  EXPECT_EQ(read_all(*open_slide(folder / "a.png")), Picture(1, 1, {9, 8, 7}));
}

// Any kind of PNG through libpng's plain interface: `rows` as they are stored.
void write_raw_png(const std::string& path, int width, int bits, int colour, int interlace,
                   const std::vector<std::vector<png_byte>>& rows, int significant_bits = 0) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  ASSERT_NE(file, nullptr);
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, static_cast<png_uint_32>(width), static_cast<png_uint_32>(rows.size()), bits, colour,
               interlace, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  const png_color palette[2] = {{10, 20, 30}, {200, 100, 50}};
  if (colour == PNG_COLOR_TYPE_PALETTE) png_set_PLTE(png, info, palette, 2);
  const auto significant = static_cast<png_byte>(significant_bits);
  const png_color_8 all = {significant, significant, significant, significant, significant};
  if (significant_bits > 0) png_set_sBIT(png, info, &all);
  std::vector<png_bytep> pointers;
  for (const auto& row : rows) pointers.push_back(const_cast<png_bytep>(row.data()));
  png_set_rows(png, info, pointers.data());
  png_write_png(png, info, PNG_TRANSFORM_IDENTITY, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

TEST(PngSlide, ReadsEveryColourType) {
  const TempFolder folder;
  const std::string path = folder / "a.png";
  write_raw_png(path, 2, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, {{7, 9}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{7, 7, 7}, {9, 9, 9}}));
  write_raw_png(path, 2, 1, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, {{0x40}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{0, 0, 0}, {255, 255, 255}}));
  write_raw_png(path, 2, 8, PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE, {{1, 0}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{200, 100, 50}, {10, 20, 30}}));
  write_raw_png(path, 1, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, {{0x80, 0x80, 0xff, 0xff, 0x01, 0x00}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{128, 255, 1}}));
  write_raw_png(path, 3, 8, PNG_COLOR_TYPE_RGBA, PNG_INTERLACE_ADAM7,
                {{10, 20, 30, 0, 10, 20, 30, 255, 0, 100, 255, 51}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{255, 255, 255}, {10, 20, 30}, {204, 224, 255}}));
  write_raw_png(path, 1, 16, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE, {{0x40, 0x40, 0xff, 0xff}});
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{64, 64, 64}}));
}

// A camera of 12 bits, whose values lie at the lower end of 16.
TEST(PngSlide, ValuesThatFillAPartOfTheirBitsAreScaledByWhatTheFileSays) {
  const TempFolder folder;
  const std::string path = folder / "a.png";
  const std::vector<std::vector<png_byte>> low = {{0x0f, 0xff, 0x08, 0x00, 0x00, 0x00}};
  write_raw_png(path, 1, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, low, 12);
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{255, 128, 0}}));
  EXPECT_TRUE(open_slide(path)->warnings().empty());
  write_raw_png(path, 1, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, low);
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{16, 8, 0}}));
  ASSERT_EQ(open_slide(path)->warnings().size(), 1u);
  EXPECT_NE(open_slide(path)->warnings()[0].find("fill 12 of them"), std::string::npos);
  // As the format wants it: scaled up, so that only the lowest bits are made up.
  write_raw_png(path, 1, 16, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, {{0xff, 0xff, 0x80, 0x00, 0x00, 0x00}}, 12);
  EXPECT_EQ(read_all(*open_slide(path)).pixels, (std::vector<Rgb>{{255, 128, 0}}));
  EXPECT_TRUE(open_slide(path)->warnings().empty());
}

TEST(PngSlide, SaysHowMuchIsTransparent) {
  const TempFolder folder;
  write_raw_png(folder / "a.png", 2, 8, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_INTERLACE_NONE, {{9, 0, 9, 0}, {9, 0, 9, 255}});
  const auto slide = open_slide(folder / "a.png");
  ASSERT_EQ(slide->warnings().size(), 1u);
  EXPECT_NE(slide->warnings()[0].find("75 % of the pixels read are transparent"), std::string::npos);
}

TEST(PngSlide, EveryTruncationIsOneClearError) {
  const TempFolder folder;
  write_png(folder / "whole.png", pattern(16, 16));
  const std::string bytes = read_bytes(folder / "whole.png");
  for (std::size_t size = 8; size < bytes.size(); size += 13) {
    write_bytes(folder / "cut.png", bytes.substr(0, size));
    EXPECT_NE(open_error(folder / "cut.png").find("cut.png: PNG cannot be"), std::string::npos) << size;
  }
}

TEST(PngSlide, DamageIsReported) {
  const TempFolder folder;
  write_png(folder / "a.png", pattern(16, 16));
  std::string bytes = read_bytes(folder / "a.png");
  bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 0x55);
  write_bytes(folder / "a.png", bytes);
  EXPECT_NE(open_error(folder / "a.png").find("PNG cannot be decoded"), std::string::npos);
}

// A picture one pixel wide once took more memory for the addresses of its rows than for its pixels.
// The chunk that makes it one, behind the header, which takes 33 bytes.
TEST(PngSlide, AnAnimationIsRefused) {
  const TempFolder folder;
  const std::string path = folder / "a.png";
  write_png(path, pattern(9, 7));
  std::string bytes = read_bytes(path);
  bytes.insert(33, std::string("\0\0\0\x08"
                               "acTL\0\0\0\x02\0\0\0\0\xf3\x8d\x93\x70",
                               20));
  write_bytes(path, bytes);
  EXPECT_NE(open_error(path).find("is animated"), std::string::npos);
}

TEST(PngSlide, MemoryFollowsThePixelsWhateverTheirShape) {
  const TempFolder folder;
  constexpr int rows = 20'000'000;  // 60 MB of pixels, 160 MB of addresses
  {
    std::FILE* file = std::fopen((folder / "narrow.png").c_str(), "wb");
    png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
    png_infop info = png_create_info_struct(png);
    ASSERT_EQ(setjmp(png_jmpbuf(png)), 0);
    png_set_user_limits(png, 0x7fffffff, 0x7fffffff);
    png_init_io(png, file);
    png_set_IHDR(png, info, 1, rows, 8, PNG_COLOR_TYPE_GRAY, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
                 PNG_FILTER_TYPE_DEFAULT);
    png_set_filter(png, 0, PNG_FILTER_NONE);
    png_set_compression_level(png, 1);
    png_write_info(png, info);
    const png_byte row[] = {77};
    for (int y = 0; y < rows; ++y) png_write_row(png, row);
    png_write_end(png, nullptr);
    png_destroy_write_struct(&png, &info);
    std::fclose(file);
  }
  const std::string failure = io::testing::failure_in_child([&] {
    long pages = 0;
    std::ifstream("/proc/self/statm") >> pages;
    const rlim_t limit = static_cast<rlim_t>(pages * sysconf(_SC_PAGESIZE)) + 120'000'000;
    const rlimit address_space{limit, limit};
    ::setrlimit(RLIMIT_AS, &address_space);
    if (read(*open_slide(folder / "narrow.png"), 0, 0, rows - 1, 1, 1).pixels[0].r != 77)
      throw Error(ErrorKind::internal, "other pixels");
  });
  EXPECT_EQ(failure, "");
}

TEST(PngSlide, FingerprintFollowsTheContent) {
  const TempFolder folder;
  write_png(folder / "a.png", pattern(16, 16, 1));
  write_png(folder / "b.png", pattern(16, 16, 2));
  std::filesystem::copy_file(folder / "a.png", folder / "c.png");
  const auto print = [&](const char* name) { return open_slide(folder / name)->info().fingerprint; };
  EXPECT_NE(print("a.png"), print("b.png"));
  EXPECT_EQ(print("a.png"), print("c.png"));
}

void write_with_scale(const std::string& path, png_uint_32 x, png_uint_32 y, const char* description) {
  std::FILE* file = std::fopen(path.c_str(), "wb");
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, nullptr, nullptr, nullptr);
  png_infop info = png_create_info_struct(png);
  png_init_io(png, file);
  png_set_IHDR(png, info, 2, 2, 8, PNG_COLOR_TYPE_RGB, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT,
               PNG_FILTER_TYPE_DEFAULT);
  if (x > 0) png_set_pHYs(png, info, x, y, PNG_RESOLUTION_METER);
  std::string key = "Comment", text = description;
  png_text comment{};
  comment.compression = PNG_TEXT_COMPRESSION_NONE;
  comment.key = key.data();
  comment.text = text.data();
  png_set_text(png, info, &comment, 1);
  png_write_info(png, info);
  const std::vector<png_byte> row(6, 200);
  for (int y_of_row = 0; y_of_row < 2; ++y_of_row) png_write_row(png, row.data());
  png_write_end(png, nullptr);
  png_destroy_write_struct(&png, &info);
  std::fclose(file);
}

TEST(PngSlide, SaysItsResolutionInMetresOrInWords) {
  const TempFolder folder;
  write_with_scale(folder / "a.png", 4'000'000, 4'000'000, "");
  EXPECT_NEAR(open_slide(folder / "a.png")->info().mpp, 0.25, 1e-9);
  write_with_scale(folder / "a.png", 2835, 2835, "MPP = 0.25");
  EXPECT_NEAR(open_slide(folder / "a.png")->info().mpp, 0.25, 1e-9);
  write_with_scale(folder / "a.png", 2835, 2835, "");
  EXPECT_EQ(open_slide(folder / "a.png")->info().mpp, 0);
  EXPECT_NE(open_slide(folder / "a.png")->info().mpp_doubt.find("2835 pixels a metre"), std::string::npos) << "72 dpi";
  write_with_scale(folder / "a.png", 4'000'000, 2'000'000, "");
  ASSERT_TRUE(open_slide(folder / "a.png")->info().oblong);
  EXPECT_EQ(open_slide(folder / "a.png")->info().oblong->height, 0.5);
}

}  // namespace
}  // namespace starpath::io::test
