// Options and visits of labelled fields.
#include "apps/nbia/field_sources.hpp"

#include <fmt/format.h>

#include "apps/cli/number_range.hpp"
#include "apps/run/mpp_range.hpp"
#include "base/error.hpp"
#include "base/words.hpp"
#include "pipelines/nbia/annotated_fields.hpp"

namespace starpath::apps {

void add_field_sources(CLI::App& command, FieldSources& from) {
  command
      .add_option("SOURCE", from.sources,
                  "Slides with --annotations; or a folder with the subfolders stroma_rich, stroma_poor and background "
                  "(those that are there); or synthetic:WxH,pattern=stroma")
      ->required();
  CLI::Option* annotations =
      command
          .add_option(
              "--annotations", from.annotations,
              "Regions of a slide, drawn and classified in QuPath, as GeoJSON; one for each slide, in their order")
          ->allow_extra_args(false);
  command
      .add_option("--classes", from.classes,
                  "Which class of the annotations stands for which label, as in Stroma=stroma_rich,Tumor=stroma_poor; "
                  "classes with the name of a label need none")
      ->delimiter(',')
      ->allow_extra_args(false)
      ->needs(annotations);
  command.add_option("--coverage", from.coverage, "Share of a field that regions of one label must cover")
      ->check(number_between(0.51, 1))
      ->capture_default_str()
      ->needs(annotations);
  command.add_option("--mpp", from.image_mpp, "Micrometres a pixel of the images, if they do not say or say it wrong")
      ->check(micrometres_a_pixel());
}

std::vector<std::string> visit_fields(const FieldSources& from, int side, double mpp,
                                      const std::function<void(const LabelledField&)>& visit) {
  if (from.annotations.empty() && from.sources.size() == 1) {
    visit_labelled_fields({from.sources[0], side, mpp, from.image_mpp}, visit);
    return {};
  }
  if (from.annotations.size() != from.sources.size())
    throw Error(ErrorKind::usage,
                fmt::format("{} and {}: give each slide its own --annotations FILE.geojson, in the same order",
                            plural(from.sources.size(), "slide"), plural(from.annotations.size(), "annotation file")));
  AnnotatedSource source{{}, {}, from.coverage, side, mpp, from.image_mpp};
  for (std::size_t i = 0; i < from.sources.size(); ++i) source.slides.push_back({from.sources[i], from.annotations[i]});
  for (const std::string& text : from.classes) source.classes.insert(parse_class(text));
  return visit_annotated_fields(source, visit);
}

}  // namespace starpath::apps
