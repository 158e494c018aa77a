// Visits of labelled fields.
#include "pipelines/nbia/field_sources.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "base/words.hpp"
#include "pipelines/nbia/annotated_fields.hpp"

namespace starpath {

std::vector<std::string> visit_fields(const FieldSources& from, int side, double mpp,
                                      const std::function<void(const LabelledField&)>& visit) {
  if (from.annotations.empty() && from.sources.size() == 1)
    return visit_labelled_fields({from.sources[0], side, mpp, from.image_mpp}, visit);
  if (from.annotations.size() != from.sources.size())
    throw Error(ErrorKind::usage,
                fmt::format("{} and {}: give each slide its own --annotations FILE.geojson, in the same order",
                            plural(from.sources.size(), "slide"), plural(from.annotations.size(), "annotation file")));
  AnnotatedSource source{{}, {}, from.coverage, side, mpp, from.image_mpp};
  for (std::size_t i = 0; i < from.sources.size(); ++i) source.slides.push_back({from.sources[i], from.annotations[i]});
  for (const std::string& text : from.classes) source.classes.insert(parse_class(text));
  return visit_annotated_fields(source, visit);
}

}  // namespace starpath
