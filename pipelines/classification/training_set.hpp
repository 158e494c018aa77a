// What a model learns from: the annotated nuclei of slides.
#pragma once
#include <string>
#include <vector>

#include "pipelines/classification/annotation_files.hpp"
#include "pipelines/classification/train.hpp"

namespace starpath {

struct AnnotatedSet {
  TrainingSet set;
  std::vector<std::string> lines;     // for people, on each slide's annotations
  std::vector<std::string> warnings;  // a line each: copies of slides
};

/// Reads the annotated nuclei. Classes are in the order of their names. `features` as ExportOptions::features, and
/// `within` as visit_annotated takes it. `annotations` names at least one slide. Throws as feature_columns,
/// check_resolution and visit_annotated.
AnnotatedSet annotated_set(const std::vector<ClassifiedSlide>& slides, const std::vector<SlideAnnotations>& annotations,
                           double within, const std::vector<std::string>& features);

}  // namespace starpath
