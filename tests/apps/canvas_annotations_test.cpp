// Annotations on a slide that lies on a larger canvas: QuPath's GeoJSON counts from the slide's corner, and the XML of
// ASAP and ImageScope from the canvas's. Both give the same regions, classes and models.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "io/annotations/polygon_index.hpp"
#include "tests/apps/command.hpp"
#include "tests/apps/results.hpp"
#include "tests/io/scanner_files.hpp"

namespace starpath {
namespace {

using io::Ring;
using io::Vertex;
using test::expect_says;
using test::read_file;
using test::shell;

constexpr int kCanvasX = 301, kCanvasY = 501;  // of the slide's corner

/// What a person has drawn, in pixels of the slide.
struct DrawnArea {
  std::string class_name;
  Ring ring;
};

Ring box_ring(double x0, double y0, double x1, double y1) { return {{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}; }

std::string as_geojson(const std::vector<DrawnArea>& areas) {
  nlohmann::json features = nlohmann::json::array();
  for (const DrawnArea& area : areas) {
    nlohmann::json ring = nlohmann::json::array();
    for (std::size_t i = 0; i <= area.ring.size(); ++i)
      ring.push_back({area.ring[i % area.ring.size()].x, area.ring[i % area.ring.size()].y});
    features.push_back(
        {{"type", "Feature"},
         {"geometry", {{"type", "Polygon"}, {"coordinates", {ring}}}},
         {"properties", {{"objectType", "annotation"}, {"classification", {{"name", area.class_name}}}}}});
  }
  return nlohmann::json{{"type", "FeatureCollection"}, {"features", features}}.dump();
}

std::string vertices_xml(const Ring& ring, const char* element) {
  std::string text;
  for (std::size_t i = 0; i < ring.size(); ++i)
    text += fmt::format("<{} Order=\"{}\" X=\"{}\" Y=\"{}\"/>", element, i, ring[i].x + kCanvasX, ring[i].y + kCanvasY);
  return text;
}

std::string as_asap(const std::vector<DrawnArea>& areas) {
  std::string text = "<?xml version=\"1.0\"?><ASAP_Annotations><Annotations>";
  for (const DrawnArea& area : areas)
    text += fmt::format(
        "<Annotation Name=\"\" Type=\"Polygon\" PartOfGroup=\"{}\"><Coordinates>{}</Coordinates></Annotation>",
        area.class_name, vertices_xml(area.ring, "Coordinate"));
  return text + "</Annotations></ASAP_Annotations>";
}

/// A layer for each area, as other programs write it.
std::string as_imagescope(const std::vector<DrawnArea>& areas) {
  std::string text = "<Annotations MicronsPerPixel=\"0.5\">";
  for (const DrawnArea& area : areas)
    text += fmt::format(
        "<Annotation Name=\"{}\"><Regions><Region Type=\"0\"><Vertices>{}</Vertices></Region></Regions></Annotation>",
        area.class_name, vertices_xml(area.ring, "Vertex"));
  return text + "</Annotations>";
}

class CanvasAnnotations : public testing::Test {
 protected:
  CanvasAnnotations() {
    const io::test::Picture picture =
        io::test::beside(io::test::read_all(*io::open_slide("synthetic:384x640,seed=1,density=0")),
                         io::test::read_all(*io::open_slide("synthetic:384x640,seed=2,density=4")));
    io::test::write_scn(scn_, picture, kCanvasX, kCanvasY, 1500, 1700);
  }

  /// The same areas in each form, `name` without its ending: NAME.geojson, NAME.asap.xml and NAME.imagescope.xml.
  void write_all(const std::string& name, const std::vector<DrawnArea>& areas) const {
    std::ofstream(folder_ / name + ".geojson") << as_geojson(areas);
    std::ofstream(folder_ / name + ".asap.xml") << as_asap(areas);
    std::ofstream(folder_ / name + ".imagescope.xml") << as_imagescope(areas);
  }
  static std::vector<std::string> xml_endings() { return {".asap.xml", ".imagescope.xml"}; }

  const test::TemporaryFolder folder_;
  const std::string scn_ = folder_ / "a.scn";
};

TEST_F(CanvasAnnotations, TrainAndEvaluateNbiaAlike) {
  write_all("drawn", {{"Stroma rich", box_ring(0, 0, 384, 640)}, {"Stroma poor", box_ring(384, 0, 768, 640)}});
  const auto files = [&](const std::string& ending) {
    return scn_ + " --annotations " + folder_ / "drawn" + ending + " --model " + folder_ / "m" + ending + ".json";
  };
  const auto train = [&](const std::string& ending) {
    expect_says(shell("starpath nbia train " + scn_ + " --annotations " + folder_ / "drawn" + ending +
                      " --levels 16,64 --out " + folder_ / "m" + ending + ".json"),
                0, {"60 stroma_rich and 60 stroma_poor fields"});
    return read_file(folder_ / "m" + ending + ".json");
  };
  const auto evaluate = [&](const std::string& ending) {
    const auto run = shell("starpath nbia evaluate --json " + files(ending) + " 2>/dev/null");
    EXPECT_EQ(run.code, 0) << run.output;
    return nlohmann::json::parse(run.output);
  };
  const std::string model = train(".geojson");
  const auto found = evaluate(".geojson");
  EXPECT_EQ(found["fields"], 120);
  EXPECT_GT(found["accuracy"], 0.9);
  for (const std::string& ending : xml_endings()) {
    EXPECT_TRUE(train(ending) == model) << ending;
    EXPECT_EQ(evaluate(ending)["confusion"], found["confusion"]) << ending;
  }
}

TEST_F(CanvasAnnotations, AreTheSameRegionsForSegment) {
  write_all("wanted", {{"A", box_ring(420, 60, 740, 300)}, {"B", {{400, 340}, {700, 330}, {560, 620}}}});
  write_all("pen", {{"", box_ring(500, 0, 560, 640)}});
  const auto found = [&](const std::string& ending) {
    const std::string out = folder_ / "out" + ending;
    expect_says(shell("starpath segment " + scn_ + " --preset paper --quiet --export none --roi " + folder_ / "wanted" +
                      ending + " --exclude " + folder_ / "pen" + ending + " --out " + out),
                0, {});
    return test::outlines(out);
  };
  const auto drawn = found(".geojson");
  EXPECT_GT(drawn.size(), 20U);
  for (const std::string& ending : xml_endings()) EXPECT_EQ(found(ending), drawn) << ending;
}

TEST_F(CanvasAnnotations, AreTheSameClassesForClassify) {
  const std::string out = folder_ / "out";
  expect_says(shell("starpath segment " + scn_ + " --preset paper --quiet --export none --out " + out), 0, {});
  std::vector<DrawnArea> areas;
  const io::ResultStore store = io::ResultStore::open(out + "/results.sqlite");
  io::NucleusStore(store).for_each_nucleus(false, [&](std::int64_t, const io::NucleusRecord& n) {
    areas.push_back({n.area > 150 ? "Large" : "Small",
                     box_ring(n.centroid_x - 1, n.centroid_y - 1, n.centroid_x + 1, n.centroid_y + 1)});
  });
  ASSERT_GT(areas.size(), 50u);
  write_all("drawn", areas);
  const auto train = [&](const std::string& ending) {
    const std::string model = folder_ / "model" + ending + ".json";
    expect_says(shell("starpath classify train " + out + " --annotations " + folder_ / "drawn" + ending +
                      " --features nucleus_area,nucleus_perimeter --out " + model),
                0, {fmt::format("{} nuclei annotated by 0 points and {} areas", areas.size(), areas.size())});
    return read_file(model);
  };
  const auto evaluate = [&](const std::string& ending) {
    return shell("starpath classify evaluate " + out + " --annotations " + folder_ / "drawn" + ending + " --model " +
                 folder_ / "model.geojson.json");
  };
  const std::string model = train(".geojson");
  const auto found = evaluate(".geojson");
  expect_says(found, 0, {fmt::format("of {} (", areas.size())});
  for (const std::string& ending : xml_endings()) {
    EXPECT_TRUE(train(ending) == model) << ending;
    EXPECT_EQ(evaluate(ending).output, found.output) << ending;
  }
}

}  // namespace
}  // namespace starpath
