// A folder of tiles as one slide.
#include <algorithm>
#include <filesystem>
#include <functional>
#include <vector>

#include "io/slides/tile_names.hpp"
#include "tiff_files.hpp"

namespace starpath::io::test {
namespace {

TEST(TileNames, GiveThePlace) {
  const auto place = [](const char* stem) {
    const auto name = parse_tile_name(stem);
    return name ? ::testing::PrintToString(static_cast<int>(name->naming)) + " " + std::to_string(name->x) + " " +
                      std::to_string(name->y)
                : std::string("none");
  };
  EXPECT_EQ(place("tile_r000_c012"), "0 12 0");
  EXPECT_EQ(place("r3c4"), "0 4 3");
  EXPECT_EQ(place("slide-1_ROW_7_COL_8"), "0 8 7");
  EXPECT_EQ(place("x1024_y0"), "1 1024 0");
  EXPECT_EQ(place("case12_x5y6"), "1 5 6");
  EXPECT_EQ(place("0_1"), "2 0 1");
  EXPECT_EQ(place("tile-10_20"), "2 10 20");
  // QuPath's, as it writes them and as its documentation renames them.
  EXPECT_EQ(place("slide 1 [x=1024,y=512,w=512,h=512]"), "1 1024 512");
  EXPECT_EQ(place("slide [d=2,x=1024,y=512,w=1024,h=1024]"), "1 512 256");
  EXPECT_EQ(place("slide [d=4.00803,x=2052,y=0,w=2052,h=2052,z=1,t=2]"), "1 512 0");
  EXPECT_EQ(place("slide [d-2_x-1024_y-512_w-1024_h-1024]"), "1 512 256");
  EXPECT_EQ(place("slide_d_2_x_1024_y_512_w_1024_h_1024"), "1 512 256");
  // Those of patch extractors.
  EXPECT_EQ(place("TCGA-AA-1234_x_1024_y_0"), "1 1024 0");
  EXPECT_EQ(place("slide_y0_x1024"), "1 1024 0");
  EXPECT_EQ(place("slide_x=1024_y=0"), "1 1024 0");
  EXPECT_EQ(place("left-53807_top-6355_bottom-6555_right-54018"), "1 53807 6355");
  EXPECT_EQ(place("slide_x1024_y512_256x256"), "1 1024 512");
  EXPECT_EQ(place("slide_x1024_y512_level0"), "1 1024 512");
  EXPECT_EQ(place("c8_r7"), "0 8 7");
  EXPECT_EQ(place("Tile_20_1024_2048"), "2 1024 2048");
  EXPECT_EQ(place("tile_0_level0_7680-4096-8192-4608"), "2 8192 4608");
  EXPECT_EQ(place("slide_(1024,2048)"), "2 1024 2048");
  EXPECT_EQ(place("name.12_3"), "2 12 3");
  EXPECT_EQ(place("t_0_1"), "2 0 1");
  for (const char* stem : {"holiday", "IMG2024", "test_img_1", "color3c4", "max1_y2z", "1_2_", "", "r1_c1234567890"})
    EXPECT_EQ(place(stem), "none") << stem;
}

// Cuts a picture into tiles of 16x12 pixels and writes each under the name that `name` gives it.
template <class Name>
void write_tiles(const TempFolder& folder, const Picture& picture, const Name& name) {
  for (int y = 0; y < picture.height; y += 12)
    for (int x = 0; x < picture.width; x += 16)
      write_png(folder / name(x / 16, y / 12),
                crop(picture, x, y, std::min(16, picture.width - x), std::min(12, picture.height - y)));
}

TEST(TilesSlide, HasTheResolutionOfItsTiles) {
  const TempFolder folder;
  for (const char* name : {"r0_c0.tif", "r0_c1.tif"})
    write_tiff(folder / name, {rgb_page(pattern(16, 12))},
               {.more = [](TIFF* tiff) { TIFFSetField(tiff, TIFFTAG_IMAGEDESCRIPTION, "MPP = 0.25"); }});
  EXPECT_EQ(open_slide(folder / "")->info().mpp, 0.25);
}

TEST(TilesSlide, ReadsEveryNaming) {
  const Picture picture = pattern(16 * 3 + 5, 12 * 2 + 7);
  const auto text = [](int v) { return std::to_string(v); };
  const std::vector<std::function<std::string(int, int)>> namings = {
      [&](int c, int r) { return "tile_r00" + text(r) + "_c00" + text(c) + ".png"; },
      [&](int c, int r) { return "r" + text(r + 1) + "c" + text(c + 1) + ".PNG"; },
      [&](int c, int r) { return text(c) + "_" + text(r) + ".png"; },
      [&](int c, int r) { return "s_x" + text(c * 16) + "_y" + text(r * 12) + ".png"; },
      [&](int c, int r) { return "x" + text(c) + "_y" + text(r) + ".png"; },
      [&](int c, int r) { return "x" + text(4000 + c * 16) + "_y" + text(96 + r * 12) + ".png"; },
      [&](int c, int r) { return "s [x=" + text(c * 16) + ",y=" + text(r * 12) + ",w=16,h=12].png"; },
      [&](int c, int r) { return "s [d=2,x=" + text(c * 32) + ",y=" + text(r * 24) + ",w=32,h=24].png"; },
      [&](int c, int r) { return "s [d=3.5,x=" + text(c * 56) + ",y=" + text(r * 42) + ",w=56,h=42].png"; },
      [&](int c, int r) { return "Tile_20_" + text(c * 16) + "_" + text(r * 12) + ".png"; },
      [&](int c, int r) { return "s_" + text(c * 16) + "_" + text(r * 12) + "_16_12.png"; },
      [&](int c, int r) { return "top-" + text(r * 12) + "_left-" + text(c * 16) + ".png"; },
  };
  for (const auto& name : namings) {
    SCOPED_TRACE(name(0, 1));
    const TempFolder folder;
    write_tiles(folder, picture, name);
    write_bytes(folder / "notes.txt", "not a tile");
    const auto slide = open_slide(folder / "");
    EXPECT_EQ(slide->info().format, "tiles");
    EXPECT_EQ(slide->info().properties.at("tiles.missing"), "0");
    EXPECT_EQ(read_all(*slide), picture);
    for (const auto& [x, y] : {std::pair{-5, -6}, {10, 8}, {40, 20}})
      EXPECT_EQ(read(*slide, 0, x, y, 30, 30), crop(picture, x, y, 30, 30)) << x << "," << y;
  }
}

TEST(TilesSlide, PicturesOfLabelsAreLeftOut) {
  const TempFolder folder;
  const Picture picture = pattern(32, 24);
  const auto name = [](int c, int r) {
    return "s [x=" + std::to_string(c * 16) + ",y=" + std::to_string(r * 12) + ",w=16,h=12]";
  };
  write_tiles(folder, picture, [&](int c, int r) { return name(c, r) + ".png"; });
  write_tiles(folder, pattern(32, 24), [&](int c, int r) { return name(c, r) + "-labelled.png"; });
  const auto slide = open_slide(folder / "");
  EXPECT_EQ(read_all(*slide), picture);
  EXPECT_EQ(slide->info().properties.at("tiles.labels_left_out"), "4");
  EXPECT_EQ(slide->info().properties.at("tiles.names"), "by x and y, as 's [x=0,y=0,w=16,h=12].png'");
}

TEST(TilesSlide, SizesInNamesTellWhereTilesAreMissing) {
  const TempFolder folder;
  const Picture picture = pattern(16 * 5, 12 * 5);
  write_tiles(folder, picture, [](int c, int r) {
    return "s [x=" + std::to_string(c * 16) + ",y=" + std::to_string(r * 12) + ",w=16,h=12].png";
  });
  for (int r = 0; r < 5; ++r)
    for (int c = 0; c < 5; ++c)
      if (r % 2 != 0 || c % 2 != 0)
        std::filesystem::remove(
            folder / ("s [x=" + std::to_string(c * 16) + ",y=" + std::to_string(r * 12) + ",w=16,h=12].png"));
  const auto slide = open_slide(folder / "");
  EXPECT_EQ(slide->info().width(), 80);
  EXPECT_EQ(slide->info().properties.at("tiles.missing"), "16");
  EXPECT_EQ(read(*slide, 0, 32, 24, 16, 12), crop(picture, 32, 24, 16, 12));
}

TEST(TilesSlide, PlainNumbersThatAreNeitherPlacesNorPixelsAreNone) {
  const TempFolder folder;
  for (const char* name : {"0_0.png", "1024_0.png", "0_1024.png"}) write_png(folder / name, pattern(512, 512));
  EXPECT_NE(open_error(folder / "").find("is no folder of tiles"), std::string::npos);
  write_png(folder / "512_0.png", pattern(512, 512));
  write_png(folder / "0_512.png", pattern(512, 512));
  EXPECT_EQ(open_slide(folder / "")->info().width(), 1536) << "left and top in pixels";
}

std::string by_row_and_column(int column, int row) {
  return "r" + std::to_string(row) + "_c" + std::to_string(column) + ".png";
}

TEST(TilesSlide, MissingTilesAreWhiteAndCounted) {
  const TempFolder folder;
  Picture picture = pattern(48, 36);
  write_tiles(folder, picture, by_row_and_column);
  std::filesystem::remove(folder / "r1_c1.png");
  for (int y = 12; y < 24; ++y)
    for (int x = 16; x < 32; ++x) picture.at(x, y) = {255, 255, 255};
  const auto slide = open_slide(folder / "");
  EXPECT_EQ(read_all(*slide), picture);
  EXPECT_EQ(slide->info().properties.at("tiles.missing"), "1");
}

TEST(TilesSlide, ADamagedTileIsAnErrorThatNamesItAndTheOthersAreRead) {
  for (const char* bad : {"r0_c0.png", "r1_c1.png", "r2_c2.png"}) {
    const TempFolder folder;
    const Picture picture = pattern(48, 36);
    write_tiles(folder, picture, by_row_and_column);
    write_bytes(folder / bad, read_bytes(folder / bad).substr(0, 100));
    const auto slide = open_slide(folder / "");
    const std::string message = error_of(ErrorKind::input, [&] { read_all(*slide); });
    EXPECT_NE(message.find(std::string(bad) + ": PNG cannot be decoded"), std::string::npos) << message;
    EXPECT_EQ(read(*slide, 0, 32, 0, 16, 24), crop(picture, 32, 0, 16, 24));
  }
}

TEST(TilesSlide, ATileOfAnotherSizeIsAnError) {
  const TempFolder folder;
  write_tiles(folder, pattern(48, 36), by_row_and_column);
  write_png(folder / "r1_c1.png", pattern(15, 12));
  const auto slide = open_slide(folder / "");
  const std::string message = error_of(ErrorKind::input, [&] { read_all(*slide); });
  EXPECT_NE(message.find("tile is 15x12 pixels where 16x12 are expected"), std::string::npos) << message;
}

TEST(TilesSlide, TakesTiffAndPngAlike) {
  const TempFolder folder;
  const Picture picture = pattern(32, 12);
  write_png(folder / "0_0.png", crop(picture, 0, 0, 16, 12));
  write_tiff(folder / "1_0.tif", {rgb_page(crop(picture, 16, 0, 16, 12))}, {});
  EXPECT_EQ(read_all(*open_slide(folder / "")), picture);
}

TEST(TilesSlide, OneTileIsASlide) {
  const TempFolder folder;
  write_png(folder / "7_9.png", pattern(16, 12));
  EXPECT_EQ(read_all(*open_slide(folder / "")), pattern(16, 12));
}

TEST(TilesSlide, FoldersThatAreNoSlideAreClearErrors) {
  const auto error_with = [](const std::vector<std::string>& names) {
    const TempFolder folder;
    for (const std::string& name : names) write_png(folder / name, pattern(4, 4));
    return open_error(folder / "");
  };
  EXPECT_NE(error_with({}).find("holds no PNG, JPEG or TIFF image"), std::string::npos);
  const std::string unrelated = error_with({"cat.png", "dog.png"});
  EXPECT_NE(unrelated.find("the name of 'cat.png' does not say where it lies"), std::string::npos) << unrelated;
  EXPECT_NE(unrelated.find("tile_r000_c001.png"), std::string::npos) << unrelated;
  EXPECT_NE(error_with({"0_0.png", "r0_c1.png"}).find("mixes two ways of naming"), std::string::npos);
  EXPECT_NE(error_with({"0_0.png", "00_0.png"}).find("have the same place"), std::string::npos);
  EXPECT_NE(error_with({"2023_1104.png", "2024_99999.png", "17_3.png"}).find("is no folder of tiles"),
            std::string::npos);
  EXPECT_NE(error_with({"x0_y0.png", "x3_y0.png"}).find("lie 3x0 pixels apart"), std::string::npos);
}

TEST(TilesSlide, FingerprintFollowsNamesAndContents) {
  const TempFolder folder;
  write_png(folder / "0_0.png", pattern(4, 4, 1));
  const std::string first = open_slide(folder / "")->info().fingerprint;
  write_png(folder / "0_0.png", pattern(4, 4, 2));
  EXPECT_NE(open_slide(folder / "")->info().fingerprint, first);
  write_png(folder / "0_0.png", pattern(4, 4, 1));
  EXPECT_EQ(open_slide(folder / "")->info().fingerprint, first);
  std::filesystem::rename(folder / "0_0.png", folder / "0_1.png");
  EXPECT_NE(open_slide(folder / "")->info().fingerprint, first);
}

}  // namespace
}  // namespace starpath::io::test
