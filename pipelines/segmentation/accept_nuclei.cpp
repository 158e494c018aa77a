// The last step of a run: which stored nuclei count, across all seams.
#include <algorithm>
#include <optional>
#include <unordered_map>

#include "io/outlines/contour.hpp"
#include "pipelines/segmentation/box_index.hpp"
#include "pipelines/segmentation/glass_tiles.hpp"
#include "pipelines/segmentation/seams.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/stain_check.hpp"

namespace starpath {
namespace {

/// A nucleus near a seam, with what is needed to compare pixels.
struct Stored {
  std::int64_t row_id;
  io::Contour contour;
};

Rect box_of(const io::NucleusRecord& nucleus) {
  return {nucleus.x0, nucleus.y0, nucleus.x1 - nucleus.x0, nucleus.y1 - nucleus.y0};
}

bool runs_meet(const std::vector<io::PixelRun>& a, const std::vector<io::PixelRun>& b) {
  for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
    if (a[i].y == b[j].y && a[i].x0 < b[j].x1 && b[j].x0 < a[i].x1) return true;
    const bool a_ends_first = a[i].y != b[j].y ? a[i].y < b[j].y : a[i].x1 <= b[j].x1;
    a_ends_first ? ++i : ++j;
  }
  return false;
}

/// Nuclei that stay inside their own core can only meet one that leaves its own: those are found first, so that memory
/// holds the few at seams, not all.
class SeamCollector {
 public:
  explicit SeamCollector(const io::ResultStore& store) {
    for (const io::TileRecord& tile : store.tiles()) {
      const Rect core{tile.x, tile.y, tile.width, tile.height};
      cores_[tile.index] = core;
      if (tile.state == io::TileState::background) glass_.add(core);
    }
    std::vector<std::pair<std::int64_t, Rect>> leaving;
    store.for_each_stored(false, [&](std::int64_t, const io::NucleusRecord& nucleus) {
      if (!leaves_core(nucleus)) return;
      index_.insert(leaving.size(), box_of(nucleus));
      leaving.emplace_back(nucleus.tile, box_of(nucleus));
    });
    store.for_each_stored(false, [&](std::int64_t row_id, const io::NucleusRecord& nucleus) {
      const Rect box = box_of(nucleus);
      const bool met = leaves_core(nucleus) || index_.any(box, [&](std::size_t id) {
        return leaving[id].first != nucleus.tile && !intersection(leaving[id].second, box).empty();
      });
      // A tile that is all glass was never segmented: what its neighbours see there does not count.
      const bool on_glass =
          nucleus.role == io::NucleusRole::candidate && glass_.holds(nucleus.centroid_x, nucleus.centroid_y);
      if (!met || on_glass) return;
      nuclei.push_back({nucleus.tile, nucleus.role, box});
      stored.push_back({row_id, nucleus.contour});
    });
  }

  std::vector<SeamNucleus> nuclei;
  std::vector<Stored> stored;

 private:
  bool leaves_core(const io::NucleusRecord& nucleus) const {
    const Rect box = box_of(nucleus);
    return intersection(cores_.at(nucleus.tile), box) != box;
  }

  std::unordered_map<std::int64_t, Rect> cores_;
  GlassTiles glass_;
  BoxIndex index_;
};

/// Which region each nucleus lies in, while a run has any.
class RegionFinder {
 public:
  RegionFinder(const io::RegionMap* map, const io::RunInfo& info) : map_(map), info_(info) {}

  /// Whether the nucleus may count: its centroid is in what was asked for. A candidate beside it belongs to no tile.
  bool takes(std::int64_t row_id, const io::NucleusRecord& nucleus) {
    if (!in_rectangle(nucleus)) return false;
    if (map_ == nullptr) return true;
    const int region = map_->region_of(nucleus.centroid_x * info_.scale, nucleus.centroid_y * info_.scale);
    if (region >= 0) region_[row_id] = region + 1;
    return region >= 0;
  }
  io::NucleusRegions of(const std::vector<std::int64_t>& row_ids) const {
    io::NucleusRegions found;
    for (const std::int64_t row_id : row_ids) found.of_nuclei.push_back(region_.at(row_id));
    const auto level0 = [&](std::int64_t working, std::int64_t most) {
      return std::min(static_cast<double>(working) * info_.scale, static_cast<double>(most));
    };
    const std::vector<double> areas =
        map_->areas({level0(info_.roi_x, info_.slide_width), level0(info_.roi_y, info_.slide_height),
                     level0(info_.roi_x + info_.roi_width, info_.slide_width),
                     level0(info_.roi_y + info_.roi_height, info_.slide_height)});
    for (std::size_t i = 0; i < map_->regions().size(); ++i)
      found.regions.push_back({map_->regions()[i].name, map_->regions()[i].class_name, areas[i]});
    if (map_->regions().empty()) found.regions.push_back({"not excluded", "", areas[0]});
    return found;
  }

 private:
  bool in_rectangle(const io::NucleusRecord& nucleus) const {
    return nucleus.centroid_x >= static_cast<double>(info_.roi_x) &&
           nucleus.centroid_x < static_cast<double>(info_.roi_x + info_.roi_width) &&
           nucleus.centroid_y >= static_cast<double>(info_.roi_y) &&
           nucleus.centroid_y < static_cast<double>(info_.roi_y + info_.roi_height);
  }

  const io::RegionMap* map_;
  const io::RunInfo info_;
  std::unordered_map<std::int64_t, std::int32_t> region_;  // by row id
};

}  // namespace

AcceptedNuclei accept_nuclei(io::ResultStore& store, const SegmentationOptions& options) {
  std::unordered_map<std::int64_t, bool> decided;
  {
    const SeamCollector seam(store);
    const std::vector<bool> counts = resolve_seams(seam.nuclei, [&](std::size_t a, std::size_t b) {
      return runs_meet(io::pixel_runs(seam.stored[a].contour), io::pixel_runs(seam.stored[b].contour));
    });
    for (std::size_t i = 0; i < counts.size(); ++i) decided[seam.stored[i].row_id] = counts[i];
  }
  std::vector<std::int64_t> accepted;
  RegionFinder finder(options.regions.get(), store.info());
  store.for_each_stored(false, [&](std::int64_t row_id, const io::NucleusRecord& nucleus) {
    const auto found = decided.find(row_id);
    const bool counts = found == decided.end() ? nucleus.role == io::NucleusRole::owned : found->second;
    if (counts && finder.takes(row_id, nucleus)) accepted.push_back(row_id);
  });
  std::int64_t left_out = 0;
  if (options.parameters.stain_check >= 0.5 && options.stains_are_certain) left_out = leave_out_eosin(store, accepted);
  std::optional<io::NucleusRegions> regions;
  if (options.regions) regions = finder.of(accepted);
  store.accept(accepted, regions ? &*regions : nullptr);
  return {static_cast<std::int64_t>(accepted.size()), left_out};
}

}  // namespace starpath
