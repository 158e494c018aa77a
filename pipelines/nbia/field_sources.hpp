// Where labelled fields come from: folders of tiles, synthetic slides, or slides with annotations.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "pipelines/nbia/labelled_fields.hpp"

namespace starpath {

struct FieldSources {
  std::vector<std::string> sources;
  std::vector<std::string> annotations, classes;  // of slides
  double coverage = 0.9;
  double image_mpp = 0;  // um a pixel; 0: as the images say
};

/// Visits the fields, of this side at this resolution. Returns what there is to say of them. Throws as
/// visit_labelled_fields and visit_annotated_fields, and Error{usage} where slides and annotations do not match.
std::vector<std::string> visit_fields(const FieldSources& from, int side, double mpp,
                                      const std::function<void(const LabelledField&)>& visit);

}  // namespace starpath
