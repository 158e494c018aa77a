// The options of runs that measure the nuclei of a slide tile by tile, wherever these come from.
#pragma once
#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "runs/segmentation/pipeline.hpp"

namespace starpath::apps {

/// --exclude, how exports are written, --window, --non-pipelined, streams, --tile, --halo, --mpp, --work-mpp and
/// --families. `halo`: what --halo 0 comes to, for people.
void add_tile_options(CLI::App& command, SegmentRequest& request, std::vector<std::string>& families,
                      const std::string& halo);

}  // namespace starpath::apps
