// `starpath segment --roi FILE --exclude FILE`: nuclei of drawn regions are those of the whole slide that lie in them.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "base/error.hpp"
#include "base/sqlite.hpp"
#include "io/annotations/region_files.hpp"
#include "io/masks/mask_region.hpp"
#include "io/results/group_store.hpp"
#include "io/results/nucleus_record.hpp"
#include "io/results/nucleus_store.hpp"
#include "io/results/result_store.hpp"
#include "io/results/tile_store.hpp"
#include "io/study/study_store.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/io/mask_files.hpp"

namespace starpath {
namespace {

using test::expect_one_line;
using test::expect_says;
using test::read_file;
using test::shell;
using test::TemporaryFolder;

// Level-0 pixels of the slide below, which are working pixels too: an L with a hole, and a triangle that overlaps it.
constexpr const char* kDrawn = R"({"type":"FeatureCollection","features":[
 {"type":"Feature","geometry":{"type":"Polygon","coordinates":[
   [[100,100],[900,100],[900,420],[420,420],[420,1100],[100,1100],[100,100]],
   [[200,200],[300,200],[300,300],[200,300],[200,200]]]},
  "properties":{"name":"L, with hole","classification":{"name":"Tumor"}}},
 {"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[380,380],[640,400],[400,640],[380,380]]]},
  "properties":{}}]})";
constexpr const char* kPen =
    R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[700,0],[820,0],[820,500],[700,500],[700,0]]]}})";
// With the levels of the paper no survey decides anything.
const std::string kWholeRun = "starpath segment synthetic:1300x1200,seed=4 --mpp 0.5 --preset paper --tile 512 ";

class Regions : public testing::Test {
 protected:
  Regions() {
    std::ofstream(drawn_) << kDrawn;
    std::ofstream(pen_) << kPen;
  }
  std::string in_regions(const std::string& out) const {
    return kWholeRun + "--roi " + drawn_ + " --exclude " + pen_ + " --out " + folder_ / out + " ";
  }

  const TemporaryFolder folder_;
  const std::string drawn_ = folder_ / "drawn.geojson", pen_ = folder_ / "pen.geojson";
};

using FoundInRegions = std::map<std::pair<std::int64_t, std::int64_t>, std::int32_t>;  // region by first pixel

FoundInRegions found_in(const std::string& folder) {
  FoundInRegions found;
  const auto store = io::ResultStore::open(folder + "/results.sqlite");
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    found[{nucleus.first_y, nucleus.first_x}] = nucleus.region;
  });
  return found;
}

TEST_F(Regions, HaveTheNucleiOfTheWholeSlideThatLieInThem) {
  ASSERT_EQ(shell(kWholeRun + "--quiet --export none --out " + folder_ / "whole").code, 0);
  const auto run = shell(in_regions("out"));
  ASSERT_EQ(run.code, 0) << run.output;
  EXPECT_NE(run.output.find("L, with hole: "), std::string::npos) << run.output;
  EXPECT_NE(run.output.find("region 2: "), std::string::npos) << run.output;

  const io::RegionMap map(io::read_region_file(drawn_, 1300, 1200), io::read_region_file(pen_, 1300, 1200));
  FoundInRegions expected;
  const auto whole = io::ResultStore::open(folder_ / "whole/results.sqlite");
  io::NucleusStore(whole).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    const int region = map.region_of(nucleus.centroid_x, nucleus.centroid_y);
    if (region >= 0) expected[{nucleus.first_y, nucleus.first_x}] = region + 1;
  });
  const FoundInRegions found = found_in(folder_ / "out");
  std::size_t same = 0;  // where a tile ends decides a little, as without regions
  for (const auto& [first, region] : found) same += expected.contains(first) && expected.at(first) == region;
  EXPECT_GT(expected.size(), 50u);
  EXPECT_GE(static_cast<double>(same), 0.99 * static_cast<double>(std::max(found.size(), expected.size())));

  const auto store = io::ResultStore::open(folder_ / "out/results.sqlite");
  ASSERT_EQ(io::GroupStore(store).regions().size(), 2u);
  EXPECT_EQ(io::GroupStore(store).regions()[0].class_name, "Tumor");
  EXPECT_EQ(io::GroupStore(store).regions()[0].nuclei + io::GroupStore(store).regions()[1].nuclei,
            static_cast<std::int64_t>(found.size()));
  EXPECT_NEAR(io::GroupStore(store).regions()[1].pixels, 0.5 * (260 * 260 - 20 * 20), 50);
  const auto tiles = io::TileStore(store).tiles();
  EXPECT_EQ(tiles.size(), 5u);  // of 9: the L reaches no tile of the right column, nor two of the others
}

TEST_F(Regions, AreInExports) {
  ASSERT_EQ(shell(in_regions("out") + "--quiet --export geojson,csv").code, 0);
  const std::string csv = read_file(folder_ / "out/nuclei.csv");
  EXPECT_NE(csv.find(",pixels,region,region_class,"), std::string::npos);
  EXPECT_NE(csv.find(",\"L, with hole\",Tumor,"), std::string::npos);
  const auto geojson = nlohmann::json::parse(read_file(folder_ / "out/nuclei.geojson"));
  std::map<std::string, std::int64_t> nuclei;
  for (const auto& each : geojson["features"]) ++nuclei[each["properties"]["metadata"]["region"].get<std::string>()];
  const Database database(folder_ / "out/results.sqlite", Database::Open::existing);
  EXPECT_EQ(nuclei["region 2"], database.integer("SELECT nuclei FROM regions WHERE name = 'region 2'"));
  EXPECT_EQ(nuclei["L, with hole"],
            database.integer("SELECT count(*) FROM nuclei JOIN nucleus_regions USING (id) WHERE region = 1"));
}

TEST_F(Regions, GiveTheSameBytesWhateverCutsOrInterruptsThem) {
  ASSERT_EQ(shell(in_regions("once") + "--quiet").code, 0);
  ASSERT_EQ(shell(in_regions("cut") + "--quiet --cpus 1 --policy eager").code, 0);
  for (const char* wait : {"0.1", "0.3", "0.6"})
    shell("timeout -s KILL " + std::string(wait) + " " STARPATH_PROGRAM +
          in_regions("killed").substr(std::string("starpath").size()) + "--quiet --resume");
  ASSERT_EQ(shell(in_regions("killed") + "--quiet --resume").code, 0);
  ASSERT_EQ(shell(in_regions("killed") + "--quiet --resume").code, 0);  // finished, and asked for again
  for (const char* name : {"nuclei.geojson", "nuclei.csv", "labels.tif", "overlay.png"})
    for (const char* other : {"cut", "killed"})
      EXPECT_TRUE(read_file(folder_ / "once/" + name) == read_file(folder_ / (std::string(other) + "/") + name))
          << other << " " << name;
}

TEST_F(Regions, ArePartOfTheRun) {
  ASSERT_EQ(shell(in_regions("out") + "--quiet --export none").code, 0);
  std::ofstream(pen_, std::ios::trunc) << kDrawn;
  expect_one_line(shell(in_regions("out") + "--resume"), 5, {"parameters differ: regions was", "2 and 1 excluded"});
  expect_says(shell(kWholeRun + "--resume --out " + folder_ / "out"), 5, {"regions was", "not set"});
}

TEST_F(Regions, OfSlidesOfAStudy) {
  std::ofstream(folder_ / "list.csv") << "path,mpp,roi,exclude\n"
                                      << "\"synthetic:1300x1200,seed=4\",0.5,drawn.geojson,pen.geojson\n"
                                      << "\"synthetic:500x400,seed=2\",0.5,,\n"
                                      << "\"synthetic:300x300,seed=2\",0.5,,none.geojson\n";
  const std::string study = "starpath segment --slides " + folder_ / "list.csv" + " --preset paper --tile 512 --out " +
                            folder_ / "study --export csv --resume ";
  expect_says(shell(study + "--quiet"), 6, {"none.geojson", "1 of 3 slides failed"});
  ASSERT_EQ(shell(in_regions("alone") + "--quiet --export csv").code, 0);
  const std::string folder = folder_ / "study/synthetic_1300x1200_seed_4/";
  EXPECT_TRUE(read_file(folder + "nuclei.csv") == read_file(folder_ / "alone/nuclei.csv"));
  const auto rows = io::StudyStore::open(folder_ / "study/study.sqlite").rows();
  ASSERT_EQ(rows[0].summary.regions.size(), 2u);
  EXPECT_TRUE(rows[1].summary.regions.empty());
  const io::RegionSummary& region = rows[0].summary.regions[0];
  const auto area = std::ranges::find(region.features, "nucleus_area", &io::FeatureSummary::feature);
  ASSERT_NE(area, region.features.end());
  EXPECT_EQ(region.nuclei, area->nuclei);
  const io::RegionMap map(io::read_region_file(drawn_, 1300, 1200), io::read_region_file(pen_, 1300, 1200));
  std::int64_t points = 0;
  for (int y = 0; y < 1200; y += 4)
    for (int x = 0; x < 1300; x += 4) points += map.region_of(x + 2, y + 2) == 0;
  EXPECT_NEAR(region.area_mm2, static_cast<double>(16 * points) * 0.25e-6, 0.0005);

  std::filesystem::copy(pen_, folder_ / "none.geojson");  // of the slide that failed, which has nothing there
  expect_says(shell(study + "--quiet"), 6, {"lies outside the slide, which is 300x300 px"});
  std::ofstream(drawn_, std::ios::trunc) << kPen;
  expect_says(shell(study + "--quiet"), 6, {"left as it was", "regions was", "1 of 3 slides failed"});
}

TEST_F(Regions, OfTissueAreFoundAndTaken) {
  const std::string tissue = folder_ / "tissue.geojson", out = folder_ / "tissue";
  const auto run = shell("starpath tissue synthetic:3000x2000,seed=4 --mpp 0.5 --out " + tissue);
  ASSERT_EQ(run.code, 0) << run.output;
  const io::RegionMap map(io::read_region_file(tissue, 3000, 2000), {});
  EXPECT_GE(map.regions().size(), 1u);
  EXPECT_EQ(map.regions()[0].class_name, "Tissue");
  double mm2 = 0;
  for (const double pixels : map.areas({0, 0, 3000, 2000})) mm2 += pixels * 0.25e-6;
  EXPECT_NE(run.output.find(fmt::format("{:.3g} mm2 of tissue", mm2)), std::string::npos) << run.output << mm2;
  ASSERT_EQ(shell("starpath segment synthetic:3000x2000,seed=4 --mpp 0.5 --preset paper --quiet --export none --roi " +
                  tissue + " --out " + out)
                .code,
            0);
  EXPECT_GT(found_in(out).size(), 100u);
  expect_one_line(shell("starpath tissue none.svs --out " + tissue), 3, {"none.svs"});
}

TEST_F(Regions, OfAMaskAreThoseOfItsPolygons) {
  const std::string mask = folder_ / "tumour.png", drawn = folder_ / "same.geojson";
  test::write_mask(mask, 130, 120, [](int x, int y) { return x >= 20 && x < 60 && y >= 30 && y < 90; });
  std::ofstream(drawn)
      << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[200,300],[600,300],[600,900],[200,900],[200,300]]]}})";
  const auto run = [&](const std::string& option, const std::string& file) {
    const std::string out = folder_ / (option + (file == mask ? "mask" : "drawn"));
    EXPECT_EQ(shell(kWholeRun + "--quiet --export none " + option + " " + file + " --out " + out).code, 0);
    return found_in(out);
  };
  const FoundInRegions masked = run("--roi", mask);
  EXPECT_GT(masked.size(), 50u);
  EXPECT_EQ(masked, run("--roi", drawn));
  EXPECT_EQ(run("--exclude", mask), run("--exclude", drawn));
  EXPECT_EQ(io::GroupStore(io::ResultStore::open(folder_ / "--roimask/results.sqlite")).regions()[0].name, "tumour");
}

TEST_F(Regions, TissueIsWrittenAsAMaskToo) {
  const std::string start = "starpath tissue synthetic:3000x2000,seed=4 --mpp 0.5 --out " + folder_ / "tissue.";
  ASSERT_EQ(shell(start + "geojson").code, 0);
  ASSERT_EQ(shell(start + "PNG").code, 0);
  double drawn = 0, masked = 0;
  for (const io::Region& region : io::read_region_file(folder_ / "tissue.geojson", 3000, 2000))
    for (const io::Polygon& polygon : region.polygons) drawn += io::area(polygon);
  for (const io::Polygon& polygon : io::read_mask(folder_ / "tissue.PNG", 3000, 2000).polygons)
    masked += io::area(polygon);
  EXPECT_GT(drawn, 1e6);
  EXPECT_NEAR(masked / drawn, 1, 0.01);
}

TEST_F(Regions, TheMaskOfANarrowSlideHasItsShape) {
  test::write_mask(folder_ / "narrow.png", 33, 163, [](int, int) { return true; });  // of 32.5 x 162.5, both rounded
  EXPECT_EQ(io::read_mask(folder_ / "narrow.png", 520, 2600).polygons.size(), 1u);
  EXPECT_THROW(io::read_mask(folder_ / "narrow.png", 520, 2700), Error);
}

TEST_F(Regions, BadInputIsOneLine) {
  const auto run = [&](const std::string& roi) { return shell(kWholeRun + "--out " + folder_ / "bad --roi " + roi); };
  expect_one_line(run("none.geojson"), 3, {"none.geojson", "check the path"});
  expect_one_line(run("none.png"), 3, {"none.png"});
  test::write_mask(folder_ / "black.png", 130, 120, [](int, int) { return false; });
  expect_one_line(run(folder_ / "black.png"), 3, {"black.png", "without a white pixel"});
  expect_one_line(shell("starpath tissue synthetic:900x900 --out " + folder_ / "tissue.tif"), 2,
                  {"tissue.tif", ".png"});
  expect_one_line(run("1,2,3"), 2, {"roi '1,2,3'"});
  expect_one_line(run("1 2 3 4"), 2, {"roi '1' is not x,y,width,height", "commas"});
  const std::string all = folder_ / "all.geojson";
  std::ofstream(all)
      << R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":[[[-9,-9],[1400,-9],[1400,1400],[-9,1400]]]}})";
  expect_one_line(shell(kWholeRun + "--out " + folder_ / "bad --exclude " + all), 2, {"--exclude leaves nothing"});
  expect_one_line(run("5000,0,100,100 --exclude " + pen_), 2, {"--roi lies outside the slide"});
  std::ofstream(pen_, std::ios::trunc) << "[]";
  expect_one_line(run(pen_), 3, {"holds no area"});
  expect_one_line(run(drawn_ + " --exclude " + pen_), 3, {"pen.geojson", "holds no area"});
  expect_one_line(shell("starpath nbia run synthetic:900x900 --out " + folder_ / "bad --roi " + drawn_), 2, {"roi '"});
  EXPECT_FALSE(std::filesystem::exists(folder_ / "bad"));
}

}  // namespace
}  // namespace starpath
