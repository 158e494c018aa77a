// What a user may ask of a segmentation run.
#pragma once
#include <memory>
#include <optional>

#include "codelets/kernels/feature_families.hpp"
#include "codelets/kernels/stain_vectors.hpp"
#include "io/annotations/region_map.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/task_log.hpp"
#include "pipelines/run/tiling.hpp"
#include "pipelines/segmentation/detection.hpp"
#include "pipelines/segmentation/instance_maps.hpp"
#include "pipelines/segmentation/parameters.hpp"
#include "pipelines/survey/stain_look.hpp"

namespace starpath {

struct SegmentationOptions {
  TilingOptions tiling;
  SegmentationParameters parameters;
  StainLevels levels = kFixedLevels;         // of this slide, where the parameters leave them out
  StainVectors stains = kDefaultStains;      // of this slide, for the features
  bool stains_are_certain = false;           // the survey found them in several fields: one may hold nuclei alone
  std::optional<StainLook> look;             // of this slide, where colours are normalised
  std::optional<Detection> of_maps;          // what maps tell of the nuclei, scores or labels; none: there are no maps
  std::shared_ptr<const InstanceMaps> maps;  // of this slide
  FamilySet families;                        // of features that are measured
  double target_mpp = io::kDesignMpp;        // of the working grid
  /// Of the slide.
  io::Resolution resolution = {io::kDesignMpp, io::MppSource::unknown, ""};
  int window = 0;                                // tiles in flight; 0 for three a worker
  int attempts = 3;                              // for a tile that cannot be read or processed
  bool non_pipelined = false;                    // a tile is one task, on a core
  bool gaps_fail = true;                         // a tile of which a part cannot be read has failed, in part
  std::shared_ptr<const io::RegionMap> regions;  // that nuclei are to lie in; none: the whole of tiling.roi
  bool resume = false;
  bool gpus_prepared = false;  // for tiles of any slide, by who runs several at a time (prepare_gpus_for_slides)
  TaskLog* log = nullptr;      // gets every task, when there is one
};

/// What finds the nuclei of a run.
inline Detection detection_of(const SegmentationOptions& options) {
  return options.of_maps.value_or(detection_of(options.parameters));
}

}  // namespace starpath
