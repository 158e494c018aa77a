// `starpath instances --kind labels`: maps of a slide that was segmented, in every form.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <vector>

#include "io/maps/map_image.hpp"
#include "tests/apps/instances.hpp"
#include "tests/support/shared_folder.hpp"
#include "tests/support/zarr_files.hpp"

namespace starpath {
namespace {

using support::write_npy;
using support::write_zarr;
using test::expect_one_line;
using test::Instances;
using test::kMapHeight;
using test::kMapSlide;
using test::kMapWidth;
using test::shell;

/// What `segment` finds on the slide, with labels.tif and nuclei.csv. Without checks that leave nuclei out.
const std::string& segmented() {
  static const test::SharedFolder folder("instances_segmented", [](const test::SharedFolder& made) {
    const auto run = shell("starpath segment " + kMapSlide + " --quiet --export labels,csv --set stain_check=0 --out " +
                           made / "out");
    ASSERT_EQ(run.code, 0) << run.output;
  });
  static const std::string out = folder / "out";
  return out;
}

/// The numbers of labels.tif.
std::vector<std::int32_t> painted_labels() {
  const io::MapImage map(segmented() + "/labels.tif");
  std::vector<double> values(kMapWidth * kMapHeight);
  map.read(0, {0, 0, kMapWidth, kMapHeight}, values.data(), kMapWidth);
  return {values.begin(), values.end()};
}

/// Width times height of what is in the box.
template <class Number>
std::vector<Number> cut(const std::vector<Number>& all, int x, int y, int width, int height) {
  std::vector<Number> part;
  for (int j = y; j < y + height; ++j)
    part.insert(part.end(), all.begin() + j * kMapWidth + x, all.begin() + j * kMapWidth + x + width);
  return part;
}

using InstanceLabelsCommand = Instances;

TEST_F(InstanceLabelsCommand, GiveBackTheNucleiOfTheSegmentationWithTheirFeatures) {
  const auto run = shell("starpath instances " + segmented() + "/labels.tif --kind labels --slide " + kMapSlide +
                         " --quiet --export labels,csv --out " + folder_ / "out");
  ASSERT_EQ(run.code, 0) << run.output;
  const auto expected = test::outlines(segmented());
  EXPECT_GT(expected.size(), 60u);
  EXPECT_EQ(test::outlines(folder_ / "out"), expected);
  EXPECT_TRUE(test::read_file(folder_ / "out/labels.tif") == test::read_file(segmented() + "/labels.tif"));
  EXPECT_TRUE(test::read_file(folder_ / "out/nuclei.csv") == test::read_file(segmented() + "/nuclei.csv"));
  EXPECT_EQ(shell("starpath verify " + folder_ / "out").code, 0);
}

TEST_F(InstanceLabelsCommand, AreTheSameUnderEachPolicyAndInTilesOfAnySize) {
  const std::string maps = segmented() + "/labels.tif --kind labels";
  const auto expected = test::outlines(segmented());
  EXPECT_EQ(outlines_of(maps, "one", "--cpus 1 --tile 256"), expected);
  EXPECT_EQ(outlines_of(maps, "two", "--cpus 2 --policy apex --window 2 --tile 300"), expected);
  EXPECT_EQ(outlines_of(maps, "whole", "--non-pipelined --tile 256 --policy eft"), expected);
}

TEST_F(InstanceLabelsCommand, ComeInEveryForm) {
  const auto expected = test::outlines(segmented());
  const std::vector<std::int32_t> all = painted_labels();
  write_npy(folder_ / "all.npy", {kMapHeight, kMapWidth}, all);
  EXPECT_EQ(outlines_of(folder_ / "all.npy", "npy", "--kind labels"), expected);

  // Pieces of one numbering, which nuclei cross.
  std::filesystem::create_directory(folder_ / "pieces");
  for (const auto& [x, width] : {std::pair{0, 333}, {333, 567}})
    for (const auto& [y, height] : {std::pair{0, 401}, {401, 299}})
      write_npy(folder_ / ("pieces/" + std::to_string(x) + "_" + std::to_string(y) + ".npy"), {height, width},
                cut(all, x, y, width, height));
  EXPECT_EQ(outlines_of(folder_ / "pieces", "pieces_out", "--kind labels --tile 256"), expected);

  // Where a number means something in its piece only, nuclei end at the border.
  const auto ended = outlines_of(folder_ / "pieces", "ended", "--kind labels --numbers piece");
  EXPECT_GT(ended.size(), expected.size());
  EXPECT_EQ(outlines_of(folder_ / "pieces", "ended_tiles", "--kind labels --numbers piece --tile 256"), ended);

  // At twice the resolution each number stands in four pixels.
  std::vector<std::int32_t> fine(all.size() * 4);
  for (int y = 0; y < 2 * kMapHeight; ++y)
    for (int x = 0; x < 2 * kMapWidth; ++x)
      fine[static_cast<std::size_t>(y * 2 * kMapWidth + x)] = all[static_cast<std::size_t>(y / 2 * kMapWidth + x / 2)];
  write_npy(folder_ / "fine.npy", {2 * kMapHeight, 2 * kMapWidth}, fine);
  EXPECT_EQ(outlines_of(folder_ / "fine.npy", "fine_out", "--kind labels --map-mpp 0.25"), expected);
  refused(folder_ / "fine.npy", "--kind labels", 3, {"1800x1400", "900x700 (0.5 um/px)", "--map-mpp"});
}

TEST_F(InstanceLabelsCommand, ComeInZarrWithTheSameBytes) {
  if (!STARPATH_READS_ZARR) GTEST_SKIP() << "built without GDAL";
  std::vector<std::int32_t> all = painted_labels();
  write_npy(folder_ / "all.npy", {kMapHeight, kMapWidth}, all);
  write_zarr(folder_ / "all.zarr", {kMapHeight, kMapWidth}, {256, 300}, all, {.zlib = true});
  const auto text = [&](const std::string& maps, const std::string& out) {
    return "starpath instances " + folder_ / maps + " --kind labels --tile 256 --slide " + kMapSlide +
           " --quiet --export labels,csv --out " + folder_ / out;
  };
  for (const auto& [maps, out] : {std::pair{"all.npy", "npy"}, {"all.zarr", "zarr"}})
    ASSERT_EQ(shell(text(maps, out)).code, 0);
  EXPECT_TRUE(test::read_file(folder_ / "zarr/labels.tif") == test::read_file(folder_ / "npy/labels.tif"));
  EXPECT_TRUE(test::read_file(folder_ / "zarr/nuclei.csv") == test::read_file(folder_ / "npy/nuclei.csv"));

  EXPECT_EQ(shell(text("all.zarr", "zarr") + " --resume").code, 0);
  std::filesystem::resize_file(folder_ / "all.zarr/1.1", 50);
  expect_one_line(shell(text("all.zarr", "zarr") + " --resume"), 5, {"maps"});
  test::expect_says(shell(text("all.zarr", "damaged")), 6, {"all.zarr: cannot be read at x=", "1.1"});
  refused(folder_ / "none.zarr", "--kind labels", 3, {"none.zarr: is no folder"});

  std::filesystem::remove(folder_ / "all.zarr/1.1");
  test::expect_says(shell(text("all.zarr", "partly")), 0, {"all.zarr: 1 of 9 chunks are not there", "--allow-missing"});
  const auto meant = shell(text("all.zarr", "meant") + " --allow-missing");
  EXPECT_EQ(meant.code, 0);
  EXPECT_EQ(meant.output, "");
}

TEST_F(InstanceLabelsCommand, AreMissingWhereNoPieceIs) {
  const std::vector<std::int32_t> all = painted_labels();
  std::filesystem::create_directory(folder_ / "pieces");
  write_npy(folder_ / "pieces/0_0.npy", {kMapHeight, 400}, cut(all, 0, 0, 400, kMapHeight));
  write_npy(folder_ / "pieces/800_0.npy", {kMapHeight, 100}, cut(all, 800, 0, 100, kMapHeight));
  refused(folder_ / "pieces", "--kind labels", 3,
          {"2 pieces cover 350000 of 630000 pixels (55.6 %)", "--allow-missing"});
  const auto found = outlines_of(folder_ / "pieces", "out", "--kind labels --allow-missing");
  EXPECT_GT(found.size(), 20u);
  for (const auto& [first, contour] : found) EXPECT_TRUE(first.second < 400 || first.second >= 800);
  // Without the last column a resolution tells the size.
  std::filesystem::remove(folder_ / "pieces/800_0.npy");
  refused(folder_ / "pieces", "--kind labels --allow-missing", 3, {"400x700", "900x700 (0.5 um/px)"});
  const auto left = outlines_of(folder_ / "pieces", "left", "--kind labels --allow-missing --map-mpp 0.5");
  for (const auto& [first, contour] : left) EXPECT_LT(first.second, 400);
}

TEST_F(InstanceLabelsCommand, GoOnFromWhatIsThere) {
  const std::vector<std::int32_t> all = painted_labels();
  write_npy(folder_ / "all.npy", {kMapHeight, kMapWidth}, all);
  const std::string maps = folder_ / "all.npy", kind = "--kind labels ";
  ASSERT_EQ(shell(run_text(maps, "out", kind)).code, 0);
  EXPECT_EQ(shell(run_text(maps, "out", kind + "--resume")).code, 0);
  expect_one_line(shell(run_text(maps, "out", kind + "--resume --numbers piece")), 5, {"maps"});
  std::vector<std::int32_t> other = all;
  other[3] += 1;
  write_npy(folder_ / "all.npy", {kMapHeight, kMapWidth}, other);
  expect_one_line(shell(run_text(maps, "out", kind + "--resume")), 5, {"maps"});
}

TEST_F(InstanceLabelsCommand, SayInOneLineWhatIsWrong) {
  write_npy(folder_ / "float.npy", {kMapHeight, kMapWidth}, std::vector<float>(kMapWidth * kMapHeight));
  refused(folder_ / "float.npy", "--kind labels", 3, {"float.npy: holds float32", "int32"});
  write_npy(folder_ / "deep.npy", {kMapHeight, kMapWidth, 3}, std::vector<std::uint8_t>(kMapWidth * kMapHeight * 3));
  refused(folder_ / "deep.npy", "--kind labels", 3, {"deep.npy: 3 channels", "takes 1"});
  write_npy(folder_ / "small.npy", {kMapHeight - 50, kMapWidth},
            std::vector<std::int32_t>(kMapWidth * (kMapHeight - 50)));
  refused(folder_ / "small.npy", "--kind labels", 3, {"900x650", "900x700"});
  refused(folder_ / "small.npy", "--kind labels --map-mpp 0.5", 3, {"900x650 pixels of 0.5 um", "900x700"});
  // Not stretched, though it lacks less than one part in a hundred.
  write_npy(folder_ / "cut.npy", {kMapHeight, kMapWidth - 8}, std::vector<std::int32_t>((kMapWidth - 8) * kMapHeight));
  refused(folder_ / "cut.npy", "--kind labels --map-mpp 0.5", 3, {"892x700 pixels of 0.5 um", "900x700"});
  std::filesystem::resize_file(folder_ / "small.npy", 5000);
  refused(folder_ / "small.npy", "--kind labels", 3, {"cut off", "5000 bytes", "585000 numbers of int32"});
  write_npy(folder_ / "all.npy", {kMapHeight, kMapWidth}, std::vector<std::int32_t>(kMapWidth * kMapHeight));
  refused(folder_ / "all.npy", "--kind labels --set detector=1", 2, {"detector=1"});
  refused(folder_ / "none.npy", "--kind labels", 3, {"none.npy"});
  // What no header tells is told by the tile.
  std::vector<std::int32_t> negative(kMapWidth * kMapHeight);
  negative[kMapWidth * 5 + 17] = -3;
  write_npy(folder_ / "negative.npy", {kMapHeight, kMapWidth}, negative);
  test::expect_says(shell(run_text(folder_ / "negative.npy", "negative", "--kind labels")), 6,
                    {"negative.npy: holds -3 at x=17 y=5"});
}

}  // namespace
}  // namespace starpath
