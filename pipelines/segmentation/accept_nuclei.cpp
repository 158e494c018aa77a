// The last step of a run: which stored nuclei count, across all seams.
#include <algorithm>
#include <compare>
#include <optional>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "io/outlines/contour.hpp"
#include "io/results/nucleus_store.hpp"
#include "pipelines/segmentation/box_index.hpp"
#include "pipelines/segmentation/glass_tiles.hpp"
#include "pipelines/segmentation/seams.hpp"
#include "pipelines/segmentation/segment_slide.hpp"
#include "pipelines/segmentation/stain_check.hpp"

namespace starpath {
namespace {

/// A stored nucleus, in the order in which accepted ones are numbered. Row ids grow with the tile.
struct Stored {
  std::int32_t first_y, first_x;
  std::int64_t row_id;
  auto operator<=>(const Stored&) const = default;

  static Stored of(std::int64_t row_id, const io::NucleusRecord& nucleus) {
    return {static_cast<std::int32_t>(nucleus.first_y), static_cast<std::int32_t>(nucleus.first_x), row_id};
  }
};

std::vector<std::int64_t> row_ids_in_order(std::vector<Stored>& nuclei) {
  std::ranges::sort(nuclei);
  std::vector<std::int64_t> row_ids;
  row_ids.reserve(nuclei.size());
  for (const Stored& nucleus : nuclei) row_ids.push_back(nucleus.row_id);
  return row_ids;
}

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

/// Nuclei that stay inside their own core can only meet one that leaves its own: those are found first, so that
/// outlines are read and compared of the few at seams, not of all.
class Seams {
 public:
  Seams(const io::TileStore& tiles, const io::NucleusStore& nuclei) {
    for (const io::TileRecord& tile : tiles.tiles()) {
      const Rect core{tile.x, tile.y, tile.width, tile.height};
      cores_[tile.index] = core;
      if (tile.state == io::TileState::background) glass_.add(core);
    }
    nuclei.for_each_stored_place([&](std::int64_t, const io::NucleusRecord& nucleus) {
      if (!leaves_core(nucleus)) return;
      index_.insert(leaving_.size(), box_of(nucleus));
      leaving_.emplace_back(nucleus.tile, box_of(nucleus));
    });
  }

  /// Whether the nucleus may meet one of another tile.
  bool holds(const io::NucleusRecord& nucleus) const {
    const Rect box = box_of(nucleus);
    return leaves_core(nucleus) || index_.any(box, [&](std::size_t id) {
      return leaving_[id].first != nucleus.tile && !intersection(leaving_[id].second, box).empty();
    });
  }

  /// A tile that is all glass was never segmented: what its neighbours see there does not count.
  bool on_glass(const io::NucleusRecord& nucleus) const {
    return nucleus.role == io::NucleusRole::candidate && glass_.holds(nucleus.centroid_x, nucleus.centroid_y);
  }

 private:
  bool leaves_core(const io::NucleusRecord& nucleus) const {
    const Rect box = box_of(nucleus);
    return intersection(cores_.at(nucleus.tile), box) != box;
  }

  std::unordered_map<std::int64_t, Rect> cores_;
  GlassTiles glass_;
  BoxIndex index_;                                      // of `leaving_`
  std::vector<std::pair<std::int64_t, Rect>> leaving_;  // nuclei that leave their core: tile and box
};

/// Which of the nuclei at seams count.
std::vector<bool> resolve(const io::NucleusStore& stored, const std::vector<std::int64_t>& row_ids) {
  std::vector<SeamNucleus> nuclei;
  std::vector<io::Contour> contours;
  stored.for_each_stored_of(row_ids, [&](std::int64_t, const io::NucleusRecord& nucleus) {
    nuclei.push_back({nucleus.tile, nucleus.role, box_of(nucleus)});
    contours.push_back(nucleus.contour);
  });
  return resolve_seams(nuclei, [&](std::size_t a, std::size_t b) {
    return runs_meet(io::pixel_runs(contours[a]), io::pixel_runs(contours[b]));
  });
}

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

AcceptedNuclei accept_nuclei(const io::ResultStore& store, const SegmentationOptions& options) {
  io::NucleusStore nuclei(store);
  const Seams seams(io::TileStore(store), nuclei);
  RegionFinder finder(options.regions.get(), store.info());
  std::vector<Stored> found, at_seams;
  std::unordered_set<std::int64_t> unwanted;  // of those at seams: they decide which others count
  nuclei.for_each_stored_place([&](std::int64_t row_id, const io::NucleusRecord& nucleus) {
    if (!seams.holds(nucleus)) {
      if (nucleus.role == io::NucleusRole::owned && finder.takes(row_id, nucleus))
        found.push_back(Stored::of(row_id, nucleus));
    } else if (!seams.on_glass(nucleus)) {
      at_seams.push_back(Stored::of(row_id, nucleus));
      if (!finder.takes(row_id, nucleus)) unwanted.insert(row_id);
    }
  });
  const std::vector<bool> counts = resolve(nuclei, row_ids_in_order(at_seams));
  for (std::size_t i = 0; i < counts.size(); ++i)
    if (counts[i] && !unwanted.contains(at_seams[i].row_id)) found.push_back(at_seams[i]);
  std::vector<std::int64_t> accepted = row_ids_in_order(found);
  std::int64_t left_out = 0;
  if (options.parameters.stain_check >= 0.5 && options.stains_are_certain) left_out = leave_out_eosin(nuclei, accepted);
  std::optional<io::NucleusRegions> regions;
  if (options.regions) regions = finder.of(accepted);
  nuclei.accept(accepted, regions ? &*regions : nullptr);
  return {static_cast<std::int64_t>(accepted.size()), left_out};
}

}  // namespace starpath
