// What a tile's host codelets do: read pixels, assign roles, and turn buffers into records.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <memory>
#include <vector>

#include "codelets/kernels/features.hpp"
#include "io/outlines/contour.hpp"
#include "io/results/tile_rows.hpp"
#include "io/slides/gaps.hpp"
#include "pipelines/run/pixel_facts.hpp"
#include "pipelines/segmentation/segmentation_job.hpp"

namespace starpath {
namespace {

/// That the features of an object are computed from; a few fewer at the border of the tile.
std::int64_t patch_pixels(const ObjectBox& box) {
  return std::int64_t{box.x1 - box.x0 + 2 * kFeatureReach} * (box.y1 - box.y0 + 2 * kFeatureReach);
}

/// Where the features of these families are, in the order of kFeatureNames.
std::vector<FeaturePlace> places_of(const FamilySet& families) {
  std::vector<FeaturePlace> places;
  std::ranges::copy_if(kFeaturePlaces, std::back_inserter(places),
                       [&](const FeaturePlace& place) { return families.has(place.family); });
  return places;
}

/// The working pixels that show a part of the gap, and those beside them.
Rect working_box(const io::Gap& gap, double scale) {
  const auto first = [&](std::int64_t at) {
    return static_cast<std::int64_t>(std::floor(static_cast<double>(at) / scale)) - 1;
  };
  const auto end = [&](std::int64_t at) {
    return static_cast<std::int64_t>(std::ceil(static_cast<double>(at) / scale)) + 1;
  };
  const std::int64_t x = first(gap.x), y = first(gap.y);
  return {x, y, end(gap.x + gap.width) - x, end(gap.y + gap.height) - y};
}

}  // namespace

void SegmentationJob::read_pixels(View<Rgb> rgb) {
  if (attempts < tries_)
    slide_.read(tile_.region.x, tile_.region.y, rgb);
  else
    gaps_ = slide_.read_around_gaps(tile_.region.x, tile_.region.y, rgb);
  count_pixel_facts(rgb, tasks_.facts);
}

void SegmentationJob::read_scores(View<std::uint8_t> nucleus, View<std::uint8_t> core) {
  maps_->read_scores(tile_.region.x, tile_.region.y, nucleus, core);
}

void SegmentationJob::read_labels(View<std::int32_t> labels, std::int32_t* count) {
  *count = maps_->read_labels(tile_.region.x, tile_.region.y, instance_limits_, labels);
}

bool SegmentationJob::meets_gap(const Rect& box) const {
  return std::ranges::any_of(
      gaps_, [&](const io::Gap& gap) { return !intersection(working_box(gap, slide_.scale()), box).empty(); });
}

std::string SegmentationJob::gaps_text() const {
  std::vector<io::Gap> missing = gaps_;
  // A gap in the margin is another tile's, unless it takes nuclei of this one.
  if (!nuclei_lost_)
    std::erase_if(missing, [&](const io::Gap& gap) {
      return intersection(working_box(gap, slide_.scale()), tile_.core).empty();
    });
  if (missing.empty()) return "";
  return fmt::format("{}; nuclei that reach there are left out, and the others kept",
                     fmt::join(io::gap_lines(missing), "; "));
}

void SegmentationJob::assign_roles(std::span<const ObjectBox> boxes, std::span<std::uint8_t> roles,
                                   std::span<MaskPlace> places) {
  const TissueMask mask = tissue();
  std::transform(boxes.begin(), boxes.end(), roles.begin(), [&](const ObjectBox& box) {
    const std::int64_t sum_x = box.sum_x + box.area * tile_.region.x, sum_y = box.sum_y + box.area * tile_.region.y;
    return static_cast<std::uint8_t>(role_of(tile_, mask, box.area, sum_x, sum_y));
  });
  std::int64_t nuclei = 0, pixels = 0;
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    if (static_cast<io::NucleusRole>(roles[i]) == io::NucleusRole::none) continue;
    ++nuclei;
    pixels += patch_pixels(boxes[i]);
  }
  tasks_.facts.set(Fact::nuclei, static_cast<double>(nuclei));
  tasks_.facts.set(Fact::patch_pixels, static_cast<double>(pixels));
  const auto width = static_cast<int>(tile_.region.width), height = static_cast<int>(tile_.region.height);
  place_masks(boxes, roles, width, height, mask_words(std::int64_t{width} * height), places);
}

void SegmentationJob::collect(View<const std::int32_t> labels, std::span<const ObjectBox> boxes,
                              std::span<const std::uint8_t> roles, View<const double> shape,
                              View<const double> intensity, View<const double> gradient, View<const double> edges,
                              View<const double> texture) {
  const Rect& region = tile_.region;
  const std::array<View<const double>, kFamilyCount> tables{shape, intensity, gradient, edges, texture};
  const std::vector<FeaturePlace> features = places_of(families_);
  std::vector<double> measured(features.size());
  const auto rows = std::make_shared<io::TileRows>(tile_.index, measured.size());
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const auto role = static_cast<io::NucleusRole>(roles[i]);
    if (role == io::NucleusRole::none) continue;
    const ObjectBox& box = boxes[i];
    if (meets_gap({box.x0 + region.x, box.y0 + region.y, box.x1 - box.x0, box.y1 - box.y0})) {
      nuclei_lost_ = true;
      continue;
    }
    io::NucleusRecord nucleus{};
    nucleus.tile = tile_.index;
    nucleus.role = role;
    nucleus.first_x = box.first_x + region.x;
    nucleus.first_y = box.first_y + region.y;
    nucleus.x0 = box.x0 + region.x;
    nucleus.y0 = box.y0 + region.y;
    nucleus.x1 = box.x1 + region.x;
    nucleus.y1 = box.y1 + region.y;
    // Sums on the slide, so that the quotient does not depend on the tile the object was seen in.
    nucleus.centroid_x = static_cast<double>(box.sum_x + box.area * region.x) / box.area + 0.5;
    nucleus.centroid_y = static_cast<double>(box.sum_y + box.area * region.y) / box.area + 0.5;
    nucleus.area = box.area;
    nucleus.contour = io::trace_contour(labels, static_cast<std::int32_t>(i + 1), box.first_x, box.first_y);
    for (io::Point& point : nucleus.contour) {
      point.x += static_cast<std::int32_t>(region.x);
      point.y += static_cast<std::int32_t>(region.y);
    }
    std::ranges::transform(features, measured.begin(), [&](const FeaturePlace& place) {
      return tables[static_cast<std::size_t>(place.family)].at(place.column, static_cast<int>(i));
    });
    rows->add(nucleus, measured);
    nuclei_.push_back(std::move(nucleus));
  }
  rows->finish();
  rows_ = rows;
}

}  // namespace starpath
