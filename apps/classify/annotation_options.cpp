// --annotations and --within.
#include "apps/classify/annotation_options.hpp"

#include "apps/cli/number_range.hpp"

namespace starpath::apps {

void add_annotation_options(CLI::App& command, AnnotationArguments& arguments) {
  command
      .add_option("--annotations", arguments.files,
                  "GeoJSON from QuPath with points or areas that have a class; one file a slide, with its name, or "
                  "folders of them")
      ->required();
  command
      .add_option("--within", arguments.within,
                  "A point outside of all nuclei is of the nearest one at most so many micrometres off")
      ->check(number_between(0.0, 1000.0))
      ->capture_default_str();
}

}  // namespace starpath::apps
