// Which nuclei an annotation is of.
#include "pipelines/classification/annotated_nuclei.hpp"

#include <gtest/gtest.h>

#include <map>

namespace starpath {
namespace {

/// A square nucleus of 10 working pixels.
io::NucleusRecord square(std::int32_t x, std::int32_t y) {
  io::NucleusRecord nucleus{};
  nucleus.x0 = x;
  nucleus.y0 = y;
  nucleus.x1 = x + 10;
  nucleus.y1 = y + 10;
  nucleus.centroid_x = x + 5;
  nucleus.centroid_y = y + 5;
  nucleus.contour = {{x, y}, {x + 10, y}, {x + 10, y + 10}, {x, y + 10}};
  return nucleus;
}

io::Annotation points(const std::string& name, std::vector<io::Vertex> places) {
  return {.feature = 0, .class_name = name, .polygons = {}, .points = std::move(places), .object_type = "annotation"};
}

io::Annotation area(const std::string& name, double x0, double y0, double x1, double y1) {
  return {.feature = 0, .class_name = name, .polygons = {{{{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}}, {}}}};
}

/// Three nuclei in a row, at x = 0, 20 and 40; level-0 pixels are half as large as working pixels.
AnnotatedSlideNuclei matched(const std::vector<io::Annotation>& annotations, double reach = 4) {
  AnnotationMatch match(annotations, 2, reach);
  for (std::int64_t id = 1; id <= 3; ++id) match.add(id, square(static_cast<std::int32_t>(20 * (id - 1)), 0));
  return match.finish();
}

using Classes = std::map<std::int64_t, std::string>;

TEST(AnnotationMatch, APointIsOfTheNucleusThatHoldsItElseOfTheNearestWithinReach) {
  EXPECT_EQ(matched({points("A", {{10, 10}}), points("B", {{40, 19}})}).classes, (Classes{{1, "A"}, {2, "B"}}));
  EXPECT_EQ(matched({points("A", {{27, 10}})}).classes, (Classes{{1, "A"}})) << "3.5 working pixels from the first";
  EXPECT_EQ(matched({points("A", {{33, 10}})}).classes, (Classes{{2, "A"}})) << "3.5 from the second";
  const auto lost = matched({points("A", {{30, 10}, {-50, 0}, {90, 10}})});
  EXPECT_EQ(lost.classes, (Classes{{3, "A"}}));
  EXPECT_EQ(lost.counts.points, 3);
  EXPECT_EQ(lost.counts.points_lost, 2);
}

TEST(AnnotationMatch, TheOutlineDecidesNotTheBox) {
  io::NucleusRecord hook = square(0, 0);  // without its lower right part
  hook.contour = {{0, 0}, {10, 0}, {10, 4}, {4, 4}, {4, 10}, {0, 10}};
  AnnotationMatch match({points("A", {{8, 8}, {2, 2}})}, 1, 1);
  match.add(1, hook);
  EXPECT_EQ(match.finish().counts.points_lost, 1);
}

TEST(AnnotationMatch, AnAreaIsOfAllNucleiWhoseCentreItHolds) {
  const auto found = matched({area("A", 0, 0, 52, 20), area("B", 200, 200, 300, 300)});
  EXPECT_EQ(found.classes, (Classes{{1, "A"}, {2, "A"}}));
  EXPECT_EQ(found.counts.areas, 2);
  EXPECT_EQ(found.counts.areas_empty, 1);
}

TEST(AnnotationMatch, OfSeveralClassesANucleusHasNone) {
  const auto found = matched({area("A", 0, 0, 52, 20), points("B", {{10, 10}}), points("A", {{50, 10}})});
  EXPECT_EQ(found.classes, (Classes{{2, "A"}}));
  EXPECT_EQ(found.counts.conflicts, 1);
}

TEST(AnnotationMatch, WhatIsNoAnnotationOfAClassIsLeftOutAndCounted) {
  io::Annotation detection = area("A", 0, 0, 52, 20);
  detection.object_type = "detection";
  const auto found = matched({detection, area("", 0, 0, 52, 20), points("Ignore*", {{1, 1}})});
  EXPECT_TRUE(found.classes.empty());
  EXPECT_EQ(found.counts.left_out,
            (std::map<std::string, int>{{"detection objects", 1}, {"without a class", 1}, {"of class Ignore*", 1}}));
}

}  // namespace
}  // namespace starpath
