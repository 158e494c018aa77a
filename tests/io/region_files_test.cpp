// Regions from GeoJSON: names, and what is refused.
#include "io/annotations/region_files.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "base/error.hpp"
#include "base/temporary_folder.hpp"
#include "tests/support/growth.hpp"

namespace starpath::io {
namespace {

constexpr const char* kSquare = "[[[10,10],[90,10],[90,90],[10,90],[10,10]]]";
constexpr const char* kBeside = "[[[200,0],[300,0],[300,50]]]";
constexpr const char* kBowTie = "[[[0,0],[40,40],[40,0],[0,40],[0,0]]]";

std::string feature(const std::string& coordinates, const std::string& properties = "{}") {
  return R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":)" + coordinates + R"(},"properties":)" +
         properties + "}";
}

class RegionFiles : public ::testing::Test {
 protected:
  std::string file(const std::string& name, const std::string& text) const {
    const std::string path = folder_.path() / name;
    std::ofstream(path) << text;
    return path;
  }
  std::string refused(const std::string& text) const {
    try {
      read(file("r.geojson", text));
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_EQ(std::string(error.what()).find('\n'), std::string::npos);
      return error.what();
    }
    return "not refused";
  }

  std::vector<Region> read(const std::string& path) const { return read_region_file(path, 100, 100, &notes_); }

  const TemporaryFolder folder_;
  mutable std::vector<std::string> notes_;
};

TEST_F(RegionFiles, NamesRegionsApart) {
  const std::string tumour = R"({"classification":{"name":"Tumor"}})";
  const std::vector<Region> regions =
      read(file("r.geojson", "[" + feature(kSquare, R"({"name":"A"})") + "," + feature(kSquare, tumour) + "," +
                                 feature(kSquare, tumour) + "," + feature(kSquare) + "," +
                                 feature(kSquare, R"({"name":"A","classification":{"name":"B"}})") + "]"));
  std::vector<std::string> names;
  for (const Region& region : regions) names.push_back(region.name);
  EXPECT_EQ(names, (std::vector<std::string>{"A", "Tumor", "Tumor 2", "region 4", "A 2"}));
  EXPECT_EQ(regions[4].class_name, "B");
}

TEST_F(RegionFiles, ManyOfOneClassAreNamedAtOnce) {
  const auto drawn = [&](std::size_t count) {
    std::string features;
    for (std::size_t i = 0; i < count; ++i)
      features += (i == 0 ? "[" : ",") + feature(kSquare, R"({"classification":{"name":"Tumor"}})");
    return file("r.geojson", features + "]");
  };
  const double times = starpath::test::growth(250, 4000, [&](std::size_t count) {
    return [this, path = drawn(count), count] { EXPECT_EQ(read(path).size(), count); };
  });
  EXPECT_LT(times, 16 * 4);
}

TEST_F(RegionFiles, ReadsWhatIsExcludedAndWritesItAgain) {
  const std::string drawn = file("r.geojson", feature(kSquare, R"({"name":"A","classification":{"name":"B"}})"));
  const std::string excluded = file("e.geojson", feature("[[[0,0],[20,0],[20,20],[0,20]]]"));
  const RegionMap map(read(drawn), read(excluded));
  EXPECT_EQ(map.region_of(50, 50), 0);
  EXPECT_EQ(map.region_of(15, 15), -1);
  const std::string text = regions_geojson(map);
  const std::vector<Region> again = read(file("again.geojson", text));
  ASSERT_EQ(again.size(), 2u);
  EXPECT_EQ(again[0].class_name, "B");
  EXPECT_NE(text.find(R"("excluded":true)"), std::string::npos);
}

TEST_F(RegionFiles, WhatLiesOutsideOrReachesOverTheEdgeIsSaid) {
  const auto notes_on = [&](const std::string& text, std::size_t regions) {
    notes_.clear();
    EXPECT_EQ(read(file("r.geojson", text)).size(), regions);
    std::string all;
    for (const std::string& note : notes_) all += note + "\n";
    return all;
  };
  EXPECT_EQ(notes_on(feature(kSquare), 1), "");
  EXPECT_EQ(notes_on(feature("[[[0,0],[100,0],[100,100],[0,100]]]"), 1), "") << "along the edge";
  const std::string path = (folder_.path() / "r.geojson").string();
  EXPECT_EQ(notes_on("[" + feature(kSquare) + "," + feature(kBeside, R"({"name":"B"})") + "]", 1),
            path +
                ": feature 1 ('B') lies outside the slide, which is 100x100 px, and is passed over; is it of another "
                "slide?\n");
  EXPECT_EQ(
      notes_on("[" + feature("[[[-20,0],[50,0],[50,50]]]") + "," + feature("[[[20,0],[50,0],[50,150]]]") + "]", 2),
      path +
          ": 2 regions reach over the edge of the slide, which is 100x100 px, feature 0 first; what is beyond "
          "does not count\n");
}

TEST_F(RegionFiles, XmlCountsFromTheCornerOfTheCanvas) {
  const std::string xml =
      file("a.xml",
           "<ASAP_Annotations><Annotations><Annotation Type=\"Polygon\"><Coordinates>"
           "<Coordinate X=\"310\" Y=\"510\"/><Coordinate X=\"390\" Y=\"510\"/>"
           "<Coordinate X=\"390\" Y=\"590\"/></Coordinates></Annotation></Annotations></ASAP_Annotations>");
  const Box box = bounds(read_region_file(xml, 100, 100, nullptr, {300, 500})[0].polygons[0]);
  EXPECT_EQ(box.x0, 10);
  EXPECT_EQ(box.y1, 90);
  const std::string json = file("a.geojson", feature(kSquare));
  EXPECT_EQ(bounds(read_region_file(json, 100, 100, nullptr, {300, 500})[0].polygons[0]).x0, 10) << "QuPath's own";
}

TEST_F(RegionFiles, RefusesInOneLine) {
  EXPECT_NE(refused(feature(kBowTie)).find("feature 0 crosses itself"), std::string::npos);
  EXPECT_NE(refused(feature(kBeside)).find("feature 0 lies outside the slide, which is 100x100 px; is it of another"),
            std::string::npos);
  EXPECT_NE(refused("[" + feature(kBeside) + "," + feature(kBeside) + "]").find("2 regions lie outside the slide"),
            std::string::npos);
  EXPECT_NE(refused("[]").find("holds no area"), std::string::npos);
  EXPECT_NE(refused(R"({"type":"Feature","geometry":{"type":"Point","coordinates":[1,2]}})").find("holds no area"),
            std::string::npos);
  EXPECT_NE(refused("id,x,y\n1,2,3\n").find("is no JSON"), std::string::npos);
  EXPECT_NE(refused(R"({"a":1})").find("is no GeoJSON"), std::string::npos);
  EXPECT_THROW(read(folder_.path() / "none.geojson"), Error);
}

}  // namespace
}  // namespace starpath::io
