// Annotations in GeoJSON: areas, what is read, what is passed over, and what is refused.
#include <gtest/gtest.h>
#include <unistd.h>
#include <zlib.h>

#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "io/annotations/drawn.hpp"
#include "io/annotations/packed_text.hpp"
#include "io/annotations/read_annotations.hpp"

namespace starpath::io {
namespace {

/// A star shape that is not convex, with a hole.
const Polygon kShape{{{0, 0}, {10, 0}, {10, 10}, {5, 5}, {0, 10}}, {{{4, 1}, {6, 1}, {6, 3}, {4, 3}}}};

TEST(Polygon, AreaIsThatWithoutHoles) {
  EXPECT_DOUBLE_EQ(area(kShape), 100 - 25 - 4);
  const Box box = bounds(kShape);
  EXPECT_EQ(box.x1, 10);
  EXPECT_EQ(box.y1, 10);
}

TEST(Polygon, PartsAddUp) {
  for (const double side : {1.0, 3.0, 2.7}) {
    double sum = 0;
    for (double y = -1; y < 11; y += side)
      for (double x = -1; x < 11; x += side) {
        const double part = area(between_columns(between_rows(kShape, y, y + side), x, x + side));
        EXPECT_GE(part, -1e-9);
        EXPECT_LE(part, side * side + 1e-9);
        sum += part;
      }
    EXPECT_NEAR(sum, area(kShape), 1e-9);
  }
  // A strip that the notch divides: 2 triangles.
  EXPECT_NEAR(area(between_rows(kShape, 9, 10)), 1, 1e-12);
  EXPECT_EQ(area(between_rows(kShape, 20, 30)), 0);
}

class Annotations : public ::testing::Test {
 protected:
  void TearDown() override { std::filesystem::remove(file_); }
  AnnotationFile read_all(const std::string& text, Geometries wanted = Geometries::areas) {
    std::ofstream(file_, std::ios::binary) << text;
    return read_annotations(file_, wanted);
  }
  std::vector<Annotation> read(const std::string& text) { return read_all(text).annotations; }
  std::string refused(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_NE(std::string(error.what()).find(file_), std::string::npos) << error.what();
      return error.what();
    }
    ADD_FAILURE() << "not refused: " << text;
    return "";
  }
  static std::string feature(const std::string& type, const std::string& coordinates, const std::string& more = "{}") {
    return R"({"type":"Feature","geometry":{"type":")" + type + R"(","coordinates":)" + coordinates +
           R"(},"properties":{"objectType":"annotation","classification":)" + more + "}}";
  }

  std::string file_ =
      std::filesystem::temp_directory_path() / ("starpath_annotations_" + std::to_string(getpid()) + ".geojson");
};

const std::string kSquareRing = "[[[0,0],[9,0],[9,9],[0,9],[0,0]]]";

std::string gzipped(const std::string& text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 16 + MAX_WBITS, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

TEST_F(Annotations, PointsAndColoursAreReadWhereTheyAreWanted) {
  std::ofstream(file_) << "[" + feature("MultiPoint", "[[1,2],[3.5,4]]", R"({"name":"Tumor","color":[200,0,16]})") +
                              "," + feature("Point", "[5,6]", R"({"name":"Old","colorRGB":-16776961})") + "," +
                              feature("LineString", "[[1,2],[3,4]]") + "," + feature("Polygon", kSquareRing) + "]";
  const auto read_back = read_annotations(file_, Geometries::areas_and_points).annotations;
  ASSERT_EQ(read_back.size(), 3u);
  ASSERT_EQ(read_back[0].points.size(), 2u);
  EXPECT_EQ(read_back[0].points[1].x, 3.5);
  EXPECT_EQ(read_back[0].colour, std::optional<std::uint32_t>(0xc80010));
  EXPECT_EQ(read_back[0].object_type, "annotation");
  EXPECT_EQ(read_back[1].colour, std::optional<std::uint32_t>(0x0000ff)) << "as Java's colours are numbers";
  EXPECT_TRUE(read_back[2].points.empty());
  EXPECT_FALSE(read_back[2].colour);
  EXPECT_EQ(read_annotations(file_).annotations.size(), 1u) << "areas alone";
  for (const std::string colour : {R"([1,2])", R"([1,2,256])", R"("red")", R"([1,2,-3])"}) {
    std::ofstream(file_) << feature("Polygon", kSquareRing, R"({"name":"A","color":)" + colour + "}");
    EXPECT_FALSE(read_annotations(file_).annotations[0].colour) << colour;
  }
  EXPECT_TRUE(read_all(feature("Point", "[]"), Geometries::areas_and_points).annotations.empty());
  for (const std::string place : {"[1]", R"(["1",2])", "7", "null", "[NaN,1]", "[1,Infinity]"}) {
    std::ofstream(file_) << feature("Point", place);
    EXPECT_THROW(read_annotations(file_, Geometries::areas_and_points), Error) << place;
    std::ofstream(file_) << feature("MultiPoint", "[" + place + "]");
    EXPECT_THROW(read_annotations(file_, Geometries::areas_and_points), Error) << place;
  }
}

TEST_F(Annotations, AreReadInEveryFormThatQuPathWrites) {
  const std::string square = feature("Polygon", kSquareRing, R"({"name":"Stroma","color":[1,2,3]})");
  for (const std::string& text :
       {square, "[" + square + "]", R"({"type":"FeatureCollection","features":[)" + square + "]}"}) {
    const auto read_back = read(text);
    ASSERT_EQ(read_back.size(), 1u);
    EXPECT_EQ(read_back[0].class_name, "Stroma");
    EXPECT_EQ(read_back[0].polygons[0].outline.size(), 4u);
    EXPECT_EQ(area(read_back[0].polygons[0]), 81);
  }
  EXPECT_TRUE(read("[]").empty());
}

TEST_F(Annotations, HaveHolesAndPartsAndDerivedClasses) {
  const auto all =
      read("[" + feature("Point", "[1,2]") + "," +
           feature("MultiPolygon", "[" + kSquareRing + ",[[[20,0],[30,0],[30,10]],[[26,1],[28,1],[28,2]]]]",
                   R"({"names":["Tumor","Positive"]})") +
           "," + feature("Polygon", kSquareRing, "null") + "]");
  ASSERT_EQ(all.size(), 2u);
  EXPECT_EQ(all[0].feature, 1u);
  EXPECT_EQ(all[0].class_name, "Tumor: Positive");
  ASSERT_EQ(all[0].polygons.size(), 2u);
  EXPECT_EQ(area(all[0].polygons[1]), 49);
  EXPECT_EQ(all[1].class_name, "");
}

TEST_F(Annotations, WhatIsWrongIsNamed) {
  const std::string good = feature("Polygon", kSquareRing);
  EXPECT_NE(refused("{not json").find("byte"), std::string::npos);
  EXPECT_NE(refused("").find("byte"), std::string::npos);
  EXPECT_NE(refused("7").find("no GeoJSON"), std::string::npos);
  EXPECT_NE(refused(R"({"type":"FeatureCollection"})").find("features"), std::string::npos);
  EXPECT_NE(refused("[" + good + ",3]").find("feature 1 is no object"), std::string::npos);
  EXPECT_NE(refused("[" + good + ",{}]").find("feature 1 has no 'geometry'"), std::string::npos);
  const auto flaw = [&](const std::string& type, const std::string& coordinates, const std::string& classes = "{}") {
    const std::string message = refused("[" + good + "," + feature(type, coordinates, classes) + "]");
    EXPECT_NE(message.find("feature 1 "), std::string::npos) << message;
    return message;
  };
  EXPECT_NE(flaw("Polygon", R"([[[0,0],[1,"a"],[0,1]]])").find("two numbers"), std::string::npos);
  EXPECT_NE(flaw("Polygon", "[[[0,0],[1,NaN],[0,1]]]").find("two numbers"), std::string::npos);
  EXPECT_NE(flaw("Polygon", "[[7]]").find("two numbers"), std::string::npos);
  EXPECT_NE(flaw("MultiPolygon", "7").find("no array"), std::string::npos);
  EXPECT_NE(flaw("Circle", "[]").find("Circle"), std::string::npos);
  EXPECT_NE(flaw("Polygon", kSquareRing, "7").find("classification"), std::string::npos);
  std::filesystem::remove(file_);
  EXPECT_THROW(read_annotations(file_), Error);
}

TEST_F(Annotations, APolygonWithoutAreaIsPassedOverAndNamed) {
  const std::string good = feature("Polygon", kSquareRing);
  for (const std::string rings :
       {"[[[5,5],[5,5],[5,5],[5,5]]]", "[[[0,0],[9,9],[4,4],[0,0]]]", "[[[0,0],[9,0],[9,9],[9,0],[0,0]]]",
        "[[[90000.1,90000.1],[90000.2,90000.2],[90000.3,90000.3]]]", "[[[0,0],[9,0],[9,9]],[[0,0],[9,0],[9,9]]]",
        "[[[0,0],[1,1],[0,0]]]"}) {
    const AnnotationFile found = read_all("[" + good + "," + feature("Polygon", rings) + "]");
    EXPECT_EQ(found.annotations.size(), 1u) << rings;
    ASSERT_EQ(found.notes.size(), 1u) << rings;
    EXPECT_EQ(found.notes[0], file_ + ": passed over 1 part (without area: 1); the first is feature 1");
  }
  std::string named = feature("MultiPolygon", "[" + kSquareRing + ",[[[1,1],[2,2],[3,3]]]]");
  named.insert(named.find("\"objectType\""), R"("name":"Nest 2",)");
  const AnnotationFile found = read_all("[" + named + "]");
  ASSERT_EQ(found.annotations.size(), 1u) << "its other part has area";
  EXPECT_EQ(found.annotations[0].polygons.size(), 1u);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_NE(found.notes[0].find("feature 0 ('Nest 2')"), std::string::npos) << found.notes[0];
}

TEST_F(Annotations, WhatHoldsNothingIsPassedOverAndCounted) {
  const std::string null = R"({"type":"Feature","geometry":null,"properties":{"name":"None"}})";
  const AnnotationFile found = read_all(
      "[" + null + "," + feature("Polygon", "[]") + "," + feature("MultiPolygon", "[]") + "," +
      R"({"type":"Feature","geometry":{"type":"GeometryCollection","geometries":[]}})" + "," +
      feature("MultiPolygon", "[[]," + kSquareRing + "]") + "," + feature("Point", "[1,2]") + "," +
      feature("MultiPoint", "[[1,2],[3,4]]") + "," + feature("LineString", "[[1,2],[3,4]]") + "," + null + "]");
  ASSERT_EQ(found.annotations.size(), 1u);
  EXPECT_EQ(found.annotations[0].feature, 4u);
  ASSERT_EQ(found.notes.size(), 1u);
  EXPECT_EQ(found.notes[0],
            file_ +
                ": passed over 9 parts (empty: 4, lines: 1, points: 2, without geometry: 2); the first is feature 0 "
                "('None')");
  EXPECT_TRUE(read_all(feature("Polygon", kSquareRing)).notes.empty());
}

TEST_F(Annotations, NumbersThatJsonDoesNotHaveAreReadOutsideOfGeometry) {
  const std::string square = R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":)" + kSquareRing + "},";
  for (const std::string properties :
       {R"({"measurements":{"Positive %":NaN,"H-score":Infinity,"Low":-Infinity}})",
        R"({"measurements":[{"name":"Positive %","value":NaN}]})", R"({"a":[NaN,NaN],"name":"NaN \" Infinity"})"}) {
    const auto found = read(square + R"("properties":)" + properties + "}");
    ASSERT_EQ(found.size(), 1u) << properties;
    EXPECT_EQ(area(found[0].polygons[0]), 81);
  }
  EXPECT_EQ(read(square + R"("properties":{"name":"NaN \" -Infinity, NaN"}})")[0].name, "NaN \" -Infinity, NaN");
  EXPECT_NE(refused(square + R"("properties":{"a":Nan}})").find("is no JSON"), std::string::npos);
}

TEST_F(Annotations, EncodingsAndPackedFilesAreRead) {
  const std::string text = feature("Polygon", kSquareRing, "{\"name\":\"\u00c9pi\"}");
  const std::string escaped = "\\u00c9", utf8 = "\xc3\x89", latin = "\xc9";
  const auto with = [&](const std::string& letter) {
    std::string changed = text;
    return changed.replace(changed.find(utf8), 2, letter);
  };
  const auto utf16 = [](const std::string& latin1, bool big) {
    std::string wide = big ? "\xfe\xff" : "\xff\xfe";
    for (const char c : latin1) wide += big ? std::string({'\0', c}) : std::string({c, '\0'});
    return wide;
  };
  for (const std::string& bytes : {with(utf8), with(escaped), "\xef\xbb\xbf" + with(utf8), with(latin),
                                   utf16(with(latin), false), utf16(with(latin), true)}) {
    const AnnotationFile found = read_all(bytes);
    ASSERT_EQ(found.annotations.size(), 1u);
    EXPECT_EQ(found.annotations[0].class_name, "\u00c9pi");
    EXPECT_EQ(found.notes.size(), bytes == with(latin) ? 1u : 0u) << "a guess is told";
  }
  const std::string packed = gzipped(with(utf8));
  EXPECT_EQ(read(packed)[0].class_name, "\u00c9pi");
  EXPECT_NE(refused(packed.substr(0, packed.size() / 2)).find("damaged or cut off"), std::string::npos);
  EXPECT_NE(refused("PK\x03\x04...").find("is a ZIP archive; unpack it"), std::string::npos);
  const std::string zeros = gzipped(std::string(3000000, '0'));
  EXPECT_THROW(unpacked(zeros, 2000000), Flaw);
  EXPECT_EQ(unpacked(zeros + zeros, 7000000).size(), 6000000u) << "members behind each other";
}

TEST_F(Annotations, FormsOfOtherProgramsAreReadOrNamed) {
  const std::string square = R"({"type":"Feature","geometry":{"type":"Polygon","coordinates":)" + kSquareRing + "},";
  EXPECT_EQ(read(square + R"("properties":{"classification":"Tumor"}})")[0].class_name, "Tumor");
  EXPECT_EQ(read(square + R"("properties":{"classification":"{\"name\": \"Stroma\"}"}})")[0].class_name, "Stroma")
      << "of GeoPandas";
  const std::string line = square + R"("properties":{}})";
  EXPECT_EQ(read(line + "\n" + line + "\n\x1e" + line + "\n").size(), 3u) << "a feature in each line";
  EXPECT_NE(refused(line + "\n" + line.substr(1)).find("is no JSON"), std::string::npos);
  EXPECT_NE(refused(R"({"images":[],"annotations":[]})").find("is COCO's JSON"), std::string::npos);
  EXPECT_NE(refused(R"({"elements":[]})").find("Digital Slide Archive"), std::string::npos);
}

TEST_F(Annotations, ThinAndCrossedPolygonsHaveArea) {
  EXPECT_EQ(read(feature("Polygon", "[[[90000,90000],[90100,90000.01],[90000,90000.01]]]")).size(), 1u);
  EXPECT_EQ(read(feature("Polygon", "[[[0,0],[9,9],[9,0],[0,9]]]")).size(), 1u) << "as much one way as the other";
}

}  // namespace
}  // namespace starpath::io
