// Annotations of ASAP, ImageScope and HALO.
#include "io/annotations/xml_annotations.hpp"

#include <gtest/gtest.h>

#include <numbers>

namespace starpath::io {
namespace {

Drawn read_xml(const std::string& text, Geometries wanted = Geometries::areas) {
  return xml_annotations(text, false, wanted);
}

std::string refused(const std::string& text, bool is_guessed = false) {
  try {
    xml_annotations(text, is_guessed, Geometries::areas);
  } catch (const Flaw& flaw) {
    EXPECT_FALSE(flaw.advice.empty());
    return flaw.what;
  }
  return "not refused";
}

std::string asap(const std::string& annotations) {
  return R"(<?xml version="1.0"?><ASAP_Annotations><Annotations>)" + annotations +
         R"(</Annotations><AnnotationGroups><Group Name="Tumor" PartOfGroup="None" Color="#64FE2E"><Attributes/></Group>)"
         "</AnnotationGroups></ASAP_Annotations>";
}

std::string drawn_in_asap(const std::string& type, const std::string& coordinates, const std::string& group = "Tumor") {
  return R"(<Annotation Name="A 1" Type=")" + type + R"(" PartOfGroup=")" + group +
         R"(" Color="#F4FA58"><Coordinates>)" + coordinates + "</Coordinates></Annotation>";
}

std::string imagescope(const std::string& regions, const std::string& layer = R"(Name="Stroma" LineColor="65280")") {
  return R"(<Annotations MicronsPerPixel="0.499"><Annotation Id="1" )" + layer + "><Attributes/><Regions>" + regions +
         "</Regions><Plots/></Annotation></Annotations>";
}

std::string drawn_region(const std::string& attributes, const std::vector<Vertex>& vertices,
                         const char* element = "Vertex") {
  std::string text = "<Region " + attributes + "><Attributes/><Vertices>";
  for (const Vertex v : vertices)
    text +=
        std::string("<") + element + " X=\"" + std::to_string(v.x) + "\" Y=\"" + std::to_string(v.y) + "\" Z=\"0\"/>";
  return text + "</Vertices></Region>";
}

std::vector<Vertex> a_square(double from, double to) { return {{from, from}, {to, from}, {to, to}, {from, to}}; }

const std::string kTriangle =
    R"(<Coordinate Order="2" X="7.0e+02" Y="700"/><Coordinate Order="0" X="100" Y="100"/><Coordinate Order="1" X="700" Y="100"/>)";

TEST(XmlAnnotations, AsapsAreasHaveNamesGroupsAndColours) {
  const Drawn drawn = read_xml(asap(drawn_in_asap("Polygon", kTriangle) + drawn_in_asap("Spline", kTriangle, "None") +
                                    drawn_in_asap("Rectangle", kTriangle)));
  ASSERT_EQ(drawn.annotations.size(), 3u);
  const Annotation& first = drawn.annotations[0];
  EXPECT_EQ(first.name, "A 1");
  EXPECT_EQ(first.class_name, "Tumor");
  EXPECT_EQ(first.colour, std::optional<std::uint32_t>(0xf4fa58));
  EXPECT_EQ(first.polygons[0].outline[0].x, 100) << "by its order";
  EXPECT_EQ(area(first.polygons[0]), 180000);
  EXPECT_EQ(drawn.annotations[1].class_name, "");
  EXPECT_EQ(drawn.annotations[2].feature, 2u);
  EXPECT_EQ(drawn.passed_over.text(), "");
}

TEST(XmlAnnotations, AsapsPointsAreReadWhereTheyAreWanted) {
  const std::string text =
      asap(drawn_in_asap("Dot", R"(<Coordinate Order="0" X="3" Y="4.5"/>)") + drawn_in_asap("PointSet", kTriangle) +
           drawn_in_asap("Measurement", kTriangle) + drawn_in_asap("Polygon", ""));
  const Drawn all = read_xml(text, Geometries::areas_and_points);
  ASSERT_EQ(all.annotations.size(), 2u);
  EXPECT_EQ(all.annotations[0].points[0].y, 4.5);
  EXPECT_EQ(all.annotations[1].points.size(), 3u);
  EXPECT_EQ(all.passed_over.text(), "passed over 2 parts (empty: 1, lines: 1); the first is feature 2 ('A 1')");
  EXPECT_TRUE(read_xml(text).annotations.empty());
}

TEST(XmlAnnotations, ImageScopesRegionsHaveTheClassOfTheirLayer) {
  const Drawn drawn = read_xml(imagescope(drawn_region(R"(Id="1" Type="0" Text="Nest")", a_square(100, 700)) +
                                          drawn_region(R"(Id="2" Type="1")", {{0, 0}, {10, 20}}) +
                                          drawn_region(R"(Id="3" Type="2")", {{0, 0}, {200, 100}}) +
                                          drawn_region(R"(Id="4" Type="4")", {{0, 0}, {9, 9}})));
  ASSERT_EQ(drawn.annotations.size(), 3u);
  EXPECT_EQ(drawn.annotations[0].name, "Nest");
  EXPECT_EQ(drawn.annotations[0].class_name, "Stroma");
  EXPECT_EQ(drawn.annotations[0].colour, std::optional<std::uint32_t>(0x00ff00));
  EXPECT_EQ(area(drawn.annotations[0].polygons[0]), 360000);
  EXPECT_EQ(area(drawn.annotations[1].polygons[0]), 200) << "a rectangle by two corners";
  EXPECT_NEAR(area(drawn.annotations[2].polygons[0]), std::numbers::pi * 100 * 50, 10) << "an ellipse by its box";
  EXPECT_EQ(drawn.passed_over.text(), "passed over 1 part (lines: 1); the first is feature 3");
  const auto red =
      read_xml(imagescope(drawn_region(R"(Type="0")", a_square(0, 9)), R"(Name="" LineColor="255")")).annotations;
  EXPECT_EQ(red[0].colour, std::optional<std::uint32_t>(0xff0000)) << "Windows has red last";
  EXPECT_EQ(red[0].class_name, "");
}

TEST(XmlAnnotations, ANegativeRegionIsAHole) {
  const std::string hole = drawn_region(R"(Type="0" NegativeROA="1")", a_square(20, 40));
  for (const std::string& regions :
       {drawn_region(R"(Type="0")", a_square(0, 100)) + hole, hole + drawn_region(R"(Type="0")", a_square(0, 100))}) {
    const Drawn drawn = read_xml(imagescope(regions));
    ASSERT_EQ(drawn.annotations.size(), 1u);
    EXPECT_EQ(area(drawn.annotations[0].polygons[0]), 10000 - 400);
  }
  EXPECT_NE(refused(imagescope(drawn_region(R"(Type="0")", a_square(0, 30)) + hole))
                .find("feature 1 is negative and reaches over"),
            std::string::npos);
  EXPECT_NE(read_xml(imagescope(hole)).passed_over.text().find("negative and within no other: 1"), std::string::npos);
}

TEST(XmlAnnotations, HalosAreOfTheSameForm) {
  const Drawn drawn =
      read_xml(imagescope(drawn_region(R"(Type="Polygon" HasEndcaps="0" NegativeROA="0")", a_square(0, 100), "V") +
                              drawn_region(R"(Type="Ellipse" NegativeROA="0")", {{0, 0}, {20, 20}}, "V"),
                          R"(Name="Layer 1" Visible="True" LineColor="65535")"));
  ASSERT_EQ(drawn.annotations.size(), 2u);
  EXPECT_EQ(drawn.annotations[0].class_name, "Layer 1");
  EXPECT_EQ(area(drawn.annotations[0].polygons[0]), 10000);
  EXPECT_NEAR(area(drawn.annotations[1].polygons[0]), std::numbers::pi * 100, 1);
}

TEST(XmlAnnotations, WhatIsWrongIsNamed) {
  EXPECT_NE(refused("<annotations><ndpviewstate id=\"1\"/></annotations>").find("NDP.view"), std::string::npos);
  EXPECT_NE(refused("<html/>").find("is XML of another kind (<html>)"), std::string::npos);
  EXPECT_NE(refused("<ASAP_Annotations>\n<Annotations>").find("is XML that is damaged in line 2"), std::string::npos);
  EXPECT_NE(refused(asap(drawn_in_asap("Blob", kTriangle))).find("feature 0 ('A 1') is of the unknown type 'Blob'"),
            std::string::npos);
  for (const std::string x : {"", "1,5", "nan", "1e999", "a"})
    EXPECT_NE(refused(asap(drawn_in_asap("Polygon", "<Coordinate X=\"" + x + "\" Y=\"1\"/>"))).find("whose X is '" + x),
              std::string::npos);
}

TEST(XmlAnnotations, AnEncodingThatIsNotGuessedRightIsNamed) {
  const std::string body = "<ASAP_Annotations><Annotations></Annotations></ASAP_Annotations>";
  const auto declared = [&](const std::string& name) {
    return "<?xml version=\"1.0\" encoding=\"" + name + "\"?>" + body;
  };
  EXPECT_NE(refused(declared("windows-1251"), true).find("is in the encoding 'windows-1251'"), std::string::npos);
  EXPECT_EQ(refused(declared("ISO-8859-1"), true), "not refused");
  EXPECT_EQ(refused(declared("windows-1251"), false), "not refused") << "all of it is ASCII or UTF-8";
  EXPECT_EQ(refused(declared("UTF-16"), false), "not refused") << "it was decoded before";
}

}  // namespace
}  // namespace starpath::io
