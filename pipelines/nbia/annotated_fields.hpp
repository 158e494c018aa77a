// Labelled fields from slides on which regions were drawn and classified in QuPath.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "pipelines/nbia/labelled_fields.hpp"

namespace starpath {

struct AnnotatedSlide {
  std::string slide, annotations;  // files
};

struct AnnotatedSource {
  std::vector<AnnotatedSlide> slides;
  std::map<std::string, NbiaLabel> classes;  // besides classes that have the name of a label, written in any way
  double coverage = 0.9;                     // share of a field that regions of its label cover, above 1/2
  int field = 512;                           // side, pixels of
  double mpp = 0.5;                          // this resolution
  double image_mpp = 0;                      // of the slides; 0 to take their own
};

/// "Stroma=stroma_rich": a class and the label it stands for. Throws Error{usage} for anything else.
std::pair<std::string, NbiaLabel> parse_class(const std::string& text);

/// Visits fields of a run's grid, slide by slide and row by row: those that regions of one label cover to `coverage` at
/// least and regions of other labels to 1 - `coverage` at most. A field's origin is its slide and the annotation that
/// covers most of it. Fields that a damaged piece of the slide reaches are left out. Returns lines for people: how many
/// fields, and which were left out. Throws Error{input} naming the file when a slide or its annotations cannot be read
/// at all, when regions lie beside the slide, and when none has a label.
std::vector<std::string> visit_annotated_fields(const AnnotatedSource& source,
                                                const std::function<void(const LabelledField&)>& visit);

}  // namespace starpath
