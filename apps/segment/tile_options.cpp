// Options of tiles, resolution and features.
#include "apps/segment/tile_options.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/export/export_options.hpp"
#include "apps/run/mpp_range.hpp"
#include "apps/run/run_options.hpp"
#include "pipelines/segmentation/asked_families.hpp"
#include "pipelines/segmentation/segment_slide.hpp"

namespace starpath::apps {

void add_tile_options(CLI::App& command, SegmentRequest& request, std::vector<std::string>& families,
                      const std::string& halo) {
  SegmentationOptions& options = request.options;
  command.add_option("--exclude", request.exclude,
                     "A GeoJSON file with regions that are left out, as pen marks, or a mask");
  add_export_options(command, request.exporting);
  command
      .add_option(
          "--window", options.window,
          "Tiles in flight (of each rank), which bounds memory; 0: three a worker. With --streams: buffers that "
          "a worker has asked for (odds: at most); 0: 4 (odds: as it finds, up to 64)")
      ->capture_default_str();
  CLI::Option* non_pipelined =
      command.add_flag("--non-pipelined", options.non_pipelined,
                       "Make each tile one task, on a core, instead of a pipeline of operations: to compare the two");
  add_stream_options(command, request.streams, "tiles")->excludes(non_pipelined);
  command.add_option("--tile", options.tiling.tile, "Side of a tile, working pixels")->capture_default_str();
  command
      .add_option("--halo", options.tiling.halo,
                  fmt::format("Working pixels read around each tile; 0: as many as the parameters reach ({}). With "
                              "less, results depend a little on the tile size",
                              halo))
      ->capture_default_str();
  command.add_option("--mpp", request.mpp, "Micrometres a pixel of the slide, if it does not say or says it wrong")
      ->check(micrometres_a_pixel());
  command
      .add_option("--work-mpp", options.target_mpp,
                  "Micrometres a pixel that the slide is brought to before anything is measured, 0.2 to 2; networks "
                  "take one value alone")
      ->capture_default_str();
  command
      .add_option("--families", families,
                  fmt::format("Families of features to measure: all, or some of {} (docs/features.md)",
                              fmt::join(kFamilyNames, ",")))
      ->delimiter(',')
      ->allow_extra_args(false)
      ->capture_default_str();
}

}  // namespace starpath::apps
