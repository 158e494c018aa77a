// Which nuclei a person's annotations give which class. Pure.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "io/annotations/annotation.hpp"
#include "io/annotations/polygon_index.hpp"
#include "io/results/nucleus_record.hpp"

namespace starpath {

/// What came of a slide's annotations.
struct AnnotationCounts {
  std::int64_t points = 0;                // with a class
  std::int64_t points_lost = 0;           // of them, with no nucleus within reach
  std::int64_t areas = 0;                 // with a class
  std::int64_t areas_empty = 0;           // of them, without a nucleus
  std::int64_t conflicts = 0;             // nuclei that were given several classes: they get none
  std::map<std::string, int> left_out{};  // annotations without a class, of one to be ignored, no annotations
};

/// Nuclei with a class, and what is to be said of the annotations.
struct AnnotatedSlideNuclei {
  std::map<std::int64_t, std::string> classes;  // by id of the nucleus
  AnnotationCounts counts;
};

/// Gives nuclei the classes of one slide's annotations: the nucleus whose outline holds a point, else the nearest one
/// within reach; all nuclei whose centroid lies in an area. Annotations without a class are left out, and so are those
/// of QuPath's classes to be ignored, whose name ends in '*', and objects that are no annotations (detections, cells).
class AnnotationMatch {
 public:
  /// `annotations`: in level-0 pixels. `scale`: level-0 pixels a working pixel. `reach`: working pixels.
  AnnotationMatch(const std::vector<io::Annotation>& annotations, double scale, double reach);

  /// To be told of every accepted nucleus, by id.
  void add(std::int64_t id, const io::NucleusRecord& nucleus);
  AnnotatedSlideNuclei finish();

 private:
  struct Mark {
    double x, y;  // working pixels
    std::size_t class_number;
    double distance;       // of the nearest nucleus so far, within reach
    std::int64_t nucleus;  // its id; 0: none
  };
  struct Area {
    io::PolygonIndex index;
    std::size_t class_number;
    std::int64_t nuclei = 0;
  };

  std::size_t number_of(const std::string& name);
  void give(std::int64_t id, std::size_t class_number);

  const double scale_, reach_;
  std::vector<std::string> names_;
  std::vector<Mark> marks_;  // by y
  std::vector<Area> areas_;
  std::map<std::int64_t, std::size_t> given_;  // class by nucleus; kSeveral
  AnnotationCounts counts_;
};

}  // namespace starpath
