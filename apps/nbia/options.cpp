// Options of labelled fields and of a model.
#include "apps/nbia/options.hpp"

#include "apps/cli/number_range.hpp"
#include "apps/run/mpp_range.hpp"

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

void add_model_options(CLI::App& command, ModelChoice& choice) {
  command.add_option(
      "--model", choice.file,
      "Model made by `starpath nbia train`, or 'bundled', which is the default on synthetic slides only");
  command
      .add_option("--levels", choice.levels,
                  "Which of the model's levels to use, from coarse to fine; default: those it uses")
      ->delimiter(',');
}

}  // namespace starpath::apps
