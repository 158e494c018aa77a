// What a damaged or left-out tile of a slide costs in fields of NBIA and tiles of declared pipelines: those that it
// reaches, and no others.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <tuple>
#include <vector>

#include "tests/apps/command.hpp"
#include "tests/io/tiff_files.hpp"

namespace starpath {
namespace {

using io::test::beside;
using io::test::Picture;
using test::expect_says;
using test::read_file;
using test::shell;

constexpr int kTileSide = 256;
constexpr Rgb kGround{255, 255, 255};

/// With another line in the place of the one that begins with `start`; none: empty.
std::string with_row(const std::string& csv, const std::string& start, const std::string& instead) {
  const std::size_t begin = csv.find("\n" + start) + 1;
  return csv.substr(0, begin) + instead + csv.substr(csv.find('\n', begin) + 1);
}

/// Six fields of 512 pixels in two rows, and 24 tiles.
class DamagedSlides : public testing::Test {
 protected:
  void write(const std::string& name, const Picture& picture, int left_out = -1) const {
    io::test::write_tiff(folder_ / name, {io::test::rgb_page(picture)},
                         {.tile = kTileSide,
                          .compression = COMPRESSION_ADOBE_DEFLATE,
                          .more =
                              [](TIFF* tiff) {
                                TIFFSetField(tiff, TIFFTAG_RESOLUTIONUNIT, RESUNIT_CENTIMETER);
                                for (const auto tag : {TIFFTAG_XRESOLUTION, TIFFTAG_YRESOLUTION})
                                  TIFFSetField(tiff, static_cast<std::uint32_t>(tag), 20000.0);  // 0.5 um
                              },
                          .left_out = [&](int, int tile) { return tile == left_out; }});
  }
  /// `whole.tif`, and `damaged.tif`, which has one tile that cannot be decoded.
  void write_damaged(const Picture& picture, int tile) const {
    write("whole.tif", picture);
    write("damaged.tif", picture);
    io::test::damage_tile(folder_ / "damaged.tif", tile);
  }
  /// `sparse.tif`, from which one tile is left out, and `white.tif`, where it is white.
  void write_sparse(Picture picture, int tile) const {
    write("sparse.tif", picture, tile);
    const int columns = picture.width / kTileSide, left = tile % columns * kTileSide, top = tile / columns * kTileSide;
    for (int y = top; y < top + kTileSide; ++y)
      for (int x = left; x < left + kTileSide; ++x) picture.at(x, y) = kGround;
    write("white.tif", picture);
  }
  /// The command's folder of results; it ends with this code and says these words.
  std::string run(const std::string& command, const std::string& slide, int code,
                  const std::vector<std::string>& words = {}) const {
    const std::string out = folder_ / (slide + "_out");
    expect_says(shell("starpath " + command + " " + folder_ / slide + " --quiet --out " + out), code, words);
    return out;
  }

  const test::TemporaryFolder folder_;
  const Picture stroma_ = io::test::read_all(*io::open_slide("synthetic:1536x1024,pattern=stroma,seed=3,mpp=0.5"));
};

const std::string kFields = "nbia run --model bundled";
const std::string kDarkShares = "workflow " STARPATH_EXAMPLE_MODULE;

TEST_F(DamagedSlides, CostNbiaTheFieldsThatTheDamageReaches) {
  // A pixel of tile 8 is in field 1. Whether a slide has colours is looked for in tile 0 first, which is in field 0.
  for (const auto& [tile, field, place] :
       {std::tuple{8, "1,512,0,512,512,", "x=512 y=256"}, {0, "0,0,0,512,512,", "x=0 y=0"}}) {
    SCOPED_TRACE(tile);
    write_damaged(stroma_, tile);
    const std::string whole = run(kFields, "whole.tif", 0);
    const std::string damaged =
        run(kFields, "damaged.tif", 6,
            {std::string("damaged.tif: cannot read level 0, region ") + place + " 256x256", "1 of 6 fields failed"});
    EXPECT_EQ(read_file(damaged + "/fields.csv"),
              with_row(read_file(whole + "/fields.csv"), field, field + std::string("failed,,,,,,\r\n")));
    for (const std::string name : {"map.png", "overlay.png", "regions.geojson"})
      EXPECT_TRUE(std::filesystem::exists(damaged + "/" + name)) << name;
    std::filesystem::remove_all(whole);
    std::filesystem::remove_all(damaged);
  }
}

TEST_F(DamagedSlides, AreGroundForNbiaWhereATileIsLeftOut) {
  write_sparse(stroma_, 8);
  const std::string sparse = run(kFields, "sparse.tif", 0), white = run(kFields, "white.tif", 0);
  for (const std::string name : {"map.png", "overlay.png", "regions.geojson", "fields.csv"})
    EXPECT_TRUE(read_file(sparse + "/" + name) == read_file(white + "/" + name)) << name;
}

TEST_F(DamagedSlides, TrainNbiaWithTheFieldsThatCanBeRead) {
  const Picture rich = io::test::read_all(*io::open_slide("synthetic:768x512,seed=1,density=0")),
                poor = io::test::read_all(*io::open_slide("synthetic:768x512,seed=2,density=4"));
  write_damaged(beside(rich, poor), 1);
  std::ofstream(folder_ / "drawn.geojson")
      << R"([{"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[0,0],[768,0],[768,512],[0,512],[0,0]]]},
              "properties":{"classification":{"name":"Stroma rich"}}},
             {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[768,0],[1536,0],[1536,512],[768,512],[768,0]]]},
              "properties":{"classification":{"name":"Stroma poor"}}}])";
  const std::string drawn = " --annotations " + folder_ / "drawn.geojson";
  const auto train = [&](const std::string& slide) {
    return shell("starpath nbia train " + folder_ / slide + drawn + " --levels 16,64 --out " + folder_ / slide +
                 ".json");
  };
  expect_says(train("whole.tif"), 0, {"64 px: 96 stroma_rich, 96 stroma_poor"});
  expect_says(train("damaged.tif"), 0,
              {"64 px: 80 stroma_rich, 96 stroma_poor", "16 fields left out, which cannot be read as a whole",
               "damaged.tif: cannot read level 0, region x=256 y=0 256x256"});
  expect_says(
      shell("starpath nbia evaluate " + folder_ / "damaged.tif" + drawn + " --model " + folder_ / "whole.tif.json"), 0,
      {"of 176 fields right", "16 fields left out", "region x=256 y=0 256x256"});

  // Pictures of a label, one of them damaged.
  std::filesystem::create_directories(folder_ / "tiles/stroma_rich");
  std::filesystem::create_directories(folder_ / "tiles/stroma_poor");
  std::filesystem::rename(folder_ / "damaged.tif", folder_ / "tiles/stroma_rich/a.tif");
  std::filesystem::rename(folder_ / "whole.tif", folder_ / "tiles/stroma_poor/a.tif");
  expect_says(shell("starpath nbia train " + folder_ / "tiles" + " --levels 16,64 --out " + folder_ / "tiles.json"), 0,
              {"175 stroma_rich and 191 stroma_poor fields", "2 of glass", "stroma_rich/a.tif: 16 fields left out"});
}

TEST_F(DamagedSlides, CostADeclaredPipelineTheTilesThatTheDamageReaches) {
  write_damaged(stroma_, 8);
  const std::string whole = run(kDarkShares, "whole.tif", 0);
  const std::string damaged =
      run(kDarkShares, "damaged.tif", 6,
          {"damaged.tif: cannot read level 0, region x=512 y=256 256x256", "1 of 24 tiles failed"});
  const std::string rows = read_file(whole + "/results.csv");
  EXPECT_EQ(std::ranges::count(rows, '\n'), 25);
  EXPECT_EQ(read_file(damaged + "/results.csv"), with_row(rows, "8,512,256,", ""));
}

TEST_F(DamagedSlides, AreGroundForADeclaredPipelineWhereATileIsLeftOut) {
  write_sparse(stroma_, 8);
  const std::string rows = read_file(run(kDarkShares, "sparse.tif", 0) + "/results.csv");
  EXPECT_EQ(rows, read_file(run(kDarkShares, "white.tif", 0) + "/results.csv"));
  EXPECT_NE(rows.find("\n8,512,256,256,256,0,0\n"), std::string::npos) << "nothing is dark there: " << rows;
}

}  // namespace
}  // namespace starpath
