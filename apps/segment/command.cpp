// `starpath segment INPUT... --out DIR`: the main job from the command line.
#include "apps/segment/command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <memory>
#include <string>
#include <vector>

#include "apps/export/export_options.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "apps/segment/parameter_options.hpp"
#include "apps/segment/tile_options.hpp"
#include "base/error.hpp"
#include "io/exports/exports.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(Writes into the output folder: results.sqlite (everything; kept while running, so that a stopped run can go on),
nuclei.geojson (drag it onto the slide in QuPath), nuclei.csv, labels.tif (32-bit instance labels), overlay.png.
On request also overlay.tif: the overlay at full size, for viewers of slides (--export overlay.tif).
More formats, and all of them again later from results.sqlite: starpath export.
Results do not depend on policy, number of workers or devices. Of several slides, each gets a folder of its own in the
output folder, and study.sqlite a row (docs/study.md).

Examples:
  starpath segment slide.svs --out results
  starpath segment slide.svs --out results --roi 10000,20000,4096,4096 --export overlay
  starpath segment slide.svs --out results --roi regions.geojson --exclude pen.geojson   # drawn in QuPath
  starpath segment slide.svs --out results --roi mask.png  # white is inside: docs/regions.md
  starpath segment slide.svs --out results --resume
  starpath segment --show-parameters                       # what can be said of stain and nuclei: docs/segmentation.md
  starpath segment slide.svs --out results --set core_score=112,min_area_um2=10
  starpath segment slide.svs --out results --detector levels            # faster than the network, and finds less
  starpath segment slide.svs --out results --network model.onnx         # yours does: docs/segmentation.md
  starpath segment slide.svs --out results --families shape,intensity   # fewer features, sooner
  starpath segment a.svs b.svs slides/ --out study         # many slides in one run
  starpath segment --slides list.csv --out study --resume  # columns: path, patient, group, mpp, roi, exclude
  mpirun -n 4 starpath segment slide.svs --out results     # on several nodes: docs/ranks.md
  mpirun -n 4 starpath segment slide.svs --out results --streams odds --readers 1   # rank 0 reads for all
  mpirun -n 4 starpath segment slides/ --out study         # each takes whole slides: docs/study.md)";

/// What the command line fills in.
struct SegmentCommand {
  SegmentRequest request;
  io::SlidesAsked slides;
  AskedParameters parameters;
  std::vector<std::string> families = {"all"};
};

void add_inputs(CLI::App& command, io::SlidesAsked& slides) {
  CLI::Option* inputs = command.add_option(
      "INPUT", slides.inputs,
      "A slide (any OpenSlide format), a TIFF, PNG or JPEG image, a folder of tiles, or "
      "synthetic:WxH[,seed=N][,density=D][,pattern=stroma]; several of them, and folders of slides, make a study");
  command
      .add_option(
          "--slides", slides.list,
          "Slides from a CSV file with the columns path, patient, group, mpp, roi and exclude; of these only path "
          "must be there, and others are kept")
      ->excludes(inputs);
}

void add_options(CLI::App& command, SegmentCommand& said) {
  SegmentRequest& request = said.request;
  SegmentationOptions& options = request.options;
  options.tiling.halo = 0;
  add_inputs(command, said.slides);
  add_run_options(command, request, "nuclei", names_of(io::kNucleiExports),
                  ", or in the regions of a GeoJSON file that QuPath exported");
  add_tile_options(command, request, said.families,
                   fmt::format("{} by default", halo_of(pixel_parameters({}, {}, options.target_mpp))));
  add_parameter_options(command, said.parameters);
  add_show_parameters(command, said.parameters, request.json);
}

SegmentRequest request_of(const SegmentCommand& said) {
  SegmentRequest request = said.request;
  request.options.parameters = parameters_of(said.parameters);
  request.parameters_file = said.parameters.file;
  request.weights_file = said.parameters.weights;
  request.network_file = said.parameters.network;
  request.options.families = families_named(said.families);
  return request;
}

int run(const SegmentCommand& said, const ManySlides& run_over_many) {
  if (said.slides.inputs.empty() && said.slides.list.empty()) throw CLI::RequiredError("INPUT");
  SegmentRequest request = request_of(said);
  if (!said.slides.is_one() && request.streams.wanted())
    throw Error(ErrorKind::usage,
                "--streams is for one slide: ranks share a study by whole slides; leave the option out");
  if (!said.slides.is_one()) return run_over_many(request, said.slides);
  request.input = said.slides.inputs[0];
  SegmentPipeline pipeline(request);
  return run_and_tell(request, pipeline);
}

}  // namespace

void add_segment_command(CLI::App& app, const ManySlides& run_over_many) {
  auto said = std::make_shared<SegmentCommand>();
  CLI::App* command = app.add_subcommand("segment", "Find and measure every nucleus of a slide");
  add_options(*command, *said);
  command->footer(kFooter);
  command->callback([said, run_over_many] {
    if (const int code = run(*said, run_over_many); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
