// The options by which a user says annotations.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace starpath::apps {

struct AnnotationArguments {
  std::vector<std::string> files;  ///< files, and folders of *.geojson and *.json
  double within = 3;               ///< micrometres from a nucleus within which a point is still its own
};

/// --annotations and --within.
void add_annotation_options(CLI::App& command, AnnotationArguments& arguments);

}  // namespace starpath::apps
