// How often a model is right on annotated nuclei.
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "pipelines/classification/annotation_files.hpp"
#include "pipelines/classification/confusion.hpp"
#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {

struct Evaluation {
  Confusion confusion;                          // of the model's classes
  std::int64_t out_of_range = 0;                // nuclei among those counted
  std::map<std::string, std::int64_t> unknown;  // nuclei by class, of classes that the model does not have
  std::vector<std::string> lines;               // for people, on each slide's annotations
  std::vector<std::string> trained_on;          // names of the annotated slides that the model was trained on
};

/// Classifies the annotated nuclei on the calling thread. Throws as check_resolution, before anything is read, and as
/// visit_annotated.
Evaluation evaluate_model(const NucleusModel& model, const std::vector<ClassifiedSlide>& slides,
                          const std::vector<SlideAnnotations>& annotations, double within);

}  // namespace starpath
