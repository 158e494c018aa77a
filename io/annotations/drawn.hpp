// What parsers of annotations share: their result, and how they say what is wrong.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "io/annotations/annotation.hpp"

namespace starpath::io {

/// What is wrong and what to do, as an exception that read_annotations completes with the name of the file.
struct Flaw {
  std::string what, advice;
};

/// Counts the parts without a wanted geometry, by kind ("without geometry"), and names the first of them.
class PassedOver {
 public:
  void add(const Annotation& annotation, const std::string& kind);
  /// "passed over 3 parts (lines: 1, without geometry: 2); the first is feature 4"; empty: nothing.
  std::string text() const;

 private:
  std::map<std::string, int> kinds_;
  std::string first_;
};

/// Annotations of a file as a parser found them.
struct Drawn {
  std::vector<Annotation> annotations;
  PassedOver passed_over;
};

/// Takes polygons that have no area but what rounding makes of their coordinates out of the annotation, and tells
/// `passed_over`. One that crosses itself may have as much clockwise as the other way round, and stays.
void drop_empty_polygons(Annotation& annotation, PassedOver& passed_over);

}  // namespace starpath::io
