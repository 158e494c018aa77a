// `starpath instances MAPS --kind KIND --slide SLIDE --out DIR`: nuclei that another program has found.
#include <CLI/CLI.hpp>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "apps/run/mpp_range.hpp"
#include "apps/run/run_options.hpp"
#include "apps/run/run_summary.hpp"
#include "apps/segment/parameter_options.hpp"
#include "apps/segment/tile_options.hpp"
#include "base/foreign_library.hpp"
#include "io/exports/exports.hpp"
#include "io/maps/zarr_reader.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath::apps {
namespace {

constexpr const char* kFooter =
    R"(Takes what a network has left on the disk, instead of finding nuclei by itself, and measures, stores and exports as
`starpath segment` does, tile by tile, in parallel, with --resume. MAPS is a TIFF, a .npy file, a Zarr folder, or a folder
of pieces in TIFF or .npy that are named by their first pixel, x before y (1024_2048.npy), or by row and column
(r2_c1.npy).

  labels       a whole number for each instance, and 0 outside: Cellpose, StarDist, any program
  probability  how sure it is that a pixel belongs to a nucleus, and in a second channel to its inside: float32 from 0 to
               1, or uint8 from 0 to 255. Where the inside is known to be (core_score), a nucleus begins; it ends
               where the first falls below nucleus_score
  hover        what HoVer-Net estimates: how sure it is that a pixel belongs to a nucleus, and its horizontal and vertical
               distances from the middle of it, float32 from -1 to 1. Nuclei part where a distance falls
  stardist     what StarDist estimates for each point of a grid (prob and dist of model.predict): how sure it is that the
               point belongs to a nucleus, and the distances to its outline in K directions, float32 in pixels of the
               image. --grid says how many pixels apart the points are. Of polygons that overlap the surest stays

docs/instances.md has the rules, and how to convert what is not read.

Examples:
  starpath instances labels.tif --kind labels --slide slide.svs --out results
  starpath instances pieces/ --kind labels --slide slide.svs --out results --allow-missing --map-mpp 0.5
  starpath instances nucleus.npy inside.npy --kind probability --slide slide.svs --out results
  starpath instances maps.npy --kind probability --slide slide.svs --out results --set nucleus_score=100,core_score=180
  starpath instances np_hv.npy --kind hover --slide slide.svs --out results --map-mpp 0.25
  starpath instances prob.npy dist.npy --kind stardist --grid 2 --slide slide.svs --out results
  starpath instances labels.tif --kind labels --slide slide.svs --out results --resume
  mpirun -n 4 starpath instances labels.tif --kind labels --slide slide.svs --out results)";

/// What the command line fills in.
struct InstancesCommand {
  SegmentRequest request;
  MapsAsked maps;
  std::string kind;
  std::string numbers = "slide";
  AskedParameters parameters;
  std::vector<std::string> families = {"all"};
};

struct Kind {
  MapKind maps;
  std::vector<std::string> defaults;  // in place of those of `segment`
};

/// A nucleus of the maps counts also where the stains contradict, and a label counts at any size.
const std::map<std::string, Kind>& kinds() {
  static const std::map<std::string, Kind> all = {
      {"labels",
       {MapKind::labels,
        {"detector=0", "stain_check=0", "glass_percent=100", "min_area_um2=0", "max_area_um2=1000000"}}},
      {"probability",
       {MapKind::probability,
        {"detector=0", "stain_check=0", "glass_percent=100", "nucleus_score=128", "core_score=128"}}},
      {"hover",
       {MapKind::hover, {"detector=0", "stain_check=0", "glass_percent=100", "nucleus_score=128", "core_score=150"}}},
      {"stardist",
       {MapKind::stardist,
        {"detector=0", "stain_check=0", "glass_percent=100", "min_area_um2=0", "max_area_um2=1000000"}}},
  };
  return all;
}

void add_options(CLI::App& command, InstancesCommand& said) {
  SegmentRequest& request = said.request;
  request.options.tiling.halo = 0;
  command
      .add_option("MAPS", said.maps.paths,
                  "A .npy or TIFF file, a folder of them, or a Zarr folder; channels of several follow each other")
      ->required();
  std::vector<std::string> names;
  for (const auto& [name, kind] : kinds()) names.push_back(name);
  command.add_option("--kind", said.kind, "What the maps hold")->required()->check(CLI::IsMember(names));
  command.add_option("--slide", request.input, "The slide, any input of `starpath segment`")->required();
  command
      .add_option("--map-mpp", said.maps.mpp,
                  "Micrometres a pixel of the maps (stardist: of the image that the network took), where their size is "
                  "that of no level of the slide and not that of the working grid")
      ->check(micrometres_a_pixel());
  command
      .add_option("--numbers", said.numbers,
                  "Of labels: whether a number means the same in all pieces (slide), so that an instance goes on in "
                  "the next one, or in one piece only (piece)")
      ->check(CLI::IsMember({"slide", "piece"}))
      ->capture_default_str();
  CLI::Option* grid =
      command
          .add_option("--grid", said.maps.stars.grid,
                      "Of stardist: pixels of the image from one point of the maps to the next, as in its config.json; "
                      "2 for the model 2D_versatile_he")
          ->check(CLI::IsMember({1, 2, 4, 8}));
  const auto share = CLI::Range(0.0, 1.0);
  command
      .add_option("--prob-threshold", said.maps.stars.probability,
                  "Of stardist: a point that is surer than this begins a nucleus")
      ->check(share)
      ->needs(grid)
      ->capture_default_str();
  command
      .add_option(
          "--nms-threshold", said.maps.stars.overlap,
          "Of stardist: a polygon vanishes that shares more than this of the smaller one's area with a surer one")
      ->check(share)
      ->needs(grid)
      ->capture_default_str();
  command.add_flag("--allow-missing", said.maps.may_lack_pieces,
                   "Pieces, or chunks of Zarr, may be missing, as those of glass: there are no nuclei there");
  add_run_options(command, request, "nuclei", names_of(io::kNucleiExports),
                  ", or in the regions of a GeoJSON file that QuPath exported");
  add_tile_options(command, request, said.families, "224 for labels and stardist, 158 for others");
  add_parameter_values(command, said.parameters);
}

SegmentRequest request_of(InstancesCommand said) {
  SegmentRequest request = std::move(said.request);
  const Kind& kind = kinds().at(said.kind);
  said.maps.kind = kind.maps;
  said.maps.numbers_of_pieces = said.numbers == "piece";
  said.parameters.changed = kind.defaults;
  said.parameters.of_maps = true;
  request.options.parameters = parameters_of(said.parameters);
  request.parameters_file = said.parameters.file;
  request.options.families = families_named(said.families);
  request.options.of_maps = detection_by(kind.maps);
  request.maps = std::move(said.maps);
  return request;
}

}  // namespace

void add_instances_command(CLI::App& app) {
  auto said = std::make_shared<InstancesCommand>();
  CLI::App* command = app.add_subcommand("instances", "Measure the nuclei that another program has found on a slide");
  add_options(*command, *said);
  command->footer(kFooter);
  command->callback([said] {
    io::read_zarr_by(library_of_program(io::kZarrLibrary, {"../io", STARPATH_PLUGIN_FROM_PROGRAM}));
    const SegmentRequest request = request_of(*said);
    SegmentPipeline pipeline(request);
    if (const int code = run_and_tell(request, pipeline); code != 0) throw CLI::RuntimeError(code);
  });
}

}  // namespace starpath::apps
