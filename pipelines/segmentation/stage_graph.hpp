// The segmentation as a graph: which operation reads and writes which buffers, and which parameters it takes. Tasks are
// submitted by this table alone. A stage of the workflow consists of several of these operations.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "codelets/kernels/colour_deconvolution.hpp"
#include "codelets/kernels/feature_families.hpp"
#include "codelets/kernels/image.hpp"
#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "pipelines/segmentation/detection.hpp"
#include "pipelines/segmentation/normalisation.hpp"
#include "workflow/abstract_workflow.hpp"

namespace starpath {

// What only CPUs do, as it touches files and records: cl_arg is the SegmentationJob.
extern starpu_codelet read_codelet, infer_codelet, infer_labels_codelet, read_scores_codelet, read_labels_codelet,
    ownership_codelet, collect_codelet;
/// The same: all operations of a tile.
extern starpu_codelet whole_tile_codelet;

/// Data that lives while a tile is processed.
enum class Buffer : unsigned char {
  rgb,
  glass,
  cells,
  recoloured,
  nucleus_scores,
  core_scores,
  rbc,
  inverted,
  opened,
  difference,
  filled,
  seeds,
  selected,
  objects,
  depth,
  nuclei,
  labels,
  count,
  boxes,
  roles,
  places,  // of the masks
  masks,
  normalised,
  channels,
  shape,  // this and the next four are the tables of FeatureFamily, in its order
  intensity,
  gradient,
  edges,
  texture,
  stains,  // this and the next two are of the run: written by no operation, and kept
  colours,
  network,
};
inline constexpr std::size_t kBufferCount = 32;

/// Bytes of an image's pixel; 0 for what is no image.
constexpr std::size_t bytes_per_pixel(Buffer buffer) {
  switch (buffer) {
    case Buffer::rgb:
    case Buffer::recoloured:
    case Buffer::normalised:
      return sizeof(Rgb);
    case Buffer::channels:
      return kStainChannels;
    case Buffer::depth:
      return sizeof(std::uint16_t);
    case Buffer::labels:
      return sizeof(std::int32_t);
    case Buffer::cells:
    case Buffer::count:
    case Buffer::boxes:
    case Buffer::roles:
    case Buffer::places:
    case Buffer::shape:
    case Buffer::intensity:
    case Buffer::gradient:
    case Buffer::edges:
    case Buffer::texture:
    case Buffer::stains:
    case Buffer::colours:
    case Buffer::network:
      return 0;  // no image
    default:
      return sizeof(std::uint8_t);
  }
}

constexpr bool is_of_run(Buffer buffer) { return buffer >= Buffer::stains; }

enum class Operation : unsigned char {
  read,
  background,
  count_background,
  normalise_first,
  detect,       // this and marked_relief are those of the learned detector
  infer,        // this and marked_relief are those of a network in an ONNX file
  read_scores,  // this and marked_relief are those of maps of scores
  marked_relief,
  rbc,  // this and those up to pre_watershed find nuclei by levels
  morph_open,
  recon_to_nuclei,
  fill_holes,
  area_threshold,
  select,
  pre_watershed,
  watershed,
  bwlabel,
  infer_labels,  // that of a network of polygons, in place of the last two and of all that finds nuclei
  read_labels,   // that of maps of labels, the same
  object_boxes,
  ownership,
  nucleus_regions,
  normalise,
  colour_deconvolution,
  shape_features,  // this and the next four are those of FeatureFamily, in its order
  intensity_features,
  gradient_features,
  edge_features,
  texture_features,
  collect,
  whole_tile,  // all of them as one; it is no row of the table
};
inline constexpr std::size_t kOperationCount = 30;  // of the table

/// The workflow that the manager knows: two stages a tile, each a pipeline of the operations below. Features need the
/// labels that the segmentation wrote, and read the pixels. A tile without nuclei is over after the first. Source:
/// hybrid-pipelines-2012, section II and Figure 2.
inline constexpr int kSegmentation = 0, kFeatures = 1;
inline workflow::AbstractWorkflow segmentation_workflow() {
  return workflow::AbstractWorkflow({{"segmentation", {}, {"labels"}}, {"features", {"labels"}}});
}

/// Operations are submitted in three steps, because two answers are needed on the way: is the tile all glass, and how
/// many objects are there (which sizes boxes, roles and table). The first two are the segmentation, the third the
/// features.
enum class Phase : unsigned char { tissue, segment, measure };

using SegmentationOperation = PipelineRow<Operation, Phase, Buffer, int PixelParameters::*>;

/// In an order in which every buffer is written before it is read. Scores, objects and their relief, and labels are
/// written by one of several operations: a run leaves out those of the detections that it does not use.
inline constexpr auto kStageGraph = [] {
  using O = Operation;
  using B = Buffer;
  using P = PixelParameters;
  using enum Phase;
  using namespace codelets;
  return std::array<SegmentationOperation, kOperationCount>{{
      {O::read, "read", &read_codelet, tissue, {}, {B::rgb}},
      {O::background, "background", &background, tissue, {B::rgb}, {B::glass}, {&P::background_level}},
      // Its numbers are the place of the tile (SegmentationJob).
      {O::count_background, "count_background", &count_background, tissue, {B::glass}, {B::cells}},
      // Where colours are normalised first, what it writes takes the place of the pixels for all that follows.
      {O::normalise_first, "normalise", &normalise, segment, {B::rgb, B::colours}, {B::recoloured}},
      // The network's first numbers are the place of the tile (SegmentationJob).
      {O::detect,
       "detect",
       &detect,
       segment,
       {B::rgb, B::network},
       {B::nucleus_scores, B::core_scores},
       {&P::channels_0, &P::channels_1, &P::channels_2, &P::channels_3}},
      {O::infer, "infer", &infer_codelet, segment, {B::rgb}, {B::nucleus_scores, B::core_scores}},
      {O::read_scores, "read_scores", &read_scores_codelet, segment, {}, {B::nucleus_scores, B::core_scores}},
      {O::marked_relief,
       "marked_relief",
       &marked_relief,
       segment,
       {B::nucleus_scores, B::core_scores},
       {B::objects, B::depth},
       {&P::nucleus_score, &P::core_score, &P::seed_min_area, &P::hole_max_area}},
      {O::rbc, "rbc", &rbc, segment, {B::rgb}, {B::rbc}, {&P::red_high, &P::red_low, &P::haematoxylin_level}},
      {O::morph_open, "morph_open", &morph_open, segment, {B::rgb}, {B::inverted, B::opened}, {&P::opening_reach}},
      {O::recon_to_nuclei,
       "recon_to_nuclei",
       &recon_to_nuclei,
       segment,
       {B::inverted, B::opened},
       {B::difference},
       {&P::reconstruction_steps}},
      {O::fill_holes, "fill_holes", &fill_holes, segment, {B::difference}, {B::filled}, {&P::seed_level}},
      {O::area_threshold,
       "area_threshold",
       &area_threshold,
       segment,
       {B::filled},
       {B::seeds},
       {&P::seed_min_area, &P::seed_max_area}},
      {O::select,
       "select",
       &codelets::select,
       segment,
       {B::difference, B::seeds, B::rbc},
       {B::selected},
       {&P::nucleus_level, &P::local_reach, &P::local_weight, &P::hole_max_area}},
      {O::pre_watershed,
       "pre_watershed",
       &pre_watershed,
       segment,
       {B::selected},
       {B::objects, B::depth},
       {&P::clump_min_area, &P::grow_steps, &P::smooth_steps, &P::split_depth}},
      {O::watershed, "watershed", &watershed, segment, {B::objects, B::depth}, {B::nuclei}},
      {O::bwlabel,
       "bwlabel",
       &bwlabel,
       segment,
       {B::nuclei},
       {B::labels, B::count},
       {&P::nucleus_min_area, &P::nucleus_max_area}},
      {O::infer_labels, "infer_labels", &infer_labels_codelet, segment, {B::rgb}, {B::labels, B::count}},
      {O::read_labels, "read_labels", &read_labels_codelet, segment, {}, {B::labels, B::count}},
      {O::object_boxes, "object_boxes", &object_boxes, measure, {B::labels}, {B::boxes}},
      {O::ownership, "ownership", &ownership_codelet, measure, {B::boxes}, {B::roles, B::places}},
      {O::nucleus_regions, "nucleus_regions", &nucleus_regions, measure, {B::labels, B::boxes, B::places}, {B::masks}},
      // Where it is left out, the pixels themselves are handed on.
      {O::normalise, "normalise", &normalise, measure, {B::rgb, B::colours}, {B::normalised}},
      {O::colour_deconvolution,
       "colour_deconvolution",
       &colour_deconvolution,
       measure,
       {B::normalised, B::boxes, B::roles, B::stains},
       {B::channels}},
      {O::shape_features,
       "shape_features",
       &shape_features,
       measure,
       {B::labels, B::boxes, B::roles, B::places, B::masks},
       {B::shape}},
      {O::intensity_features,
       "intensity_features",
       &intensity_features,
       measure,
       {B::channels, B::labels, B::boxes, B::roles, B::places, B::masks},
       {B::intensity}},
      {O::gradient_features,
       "gradient_features",
       &gradient_features,
       measure,
       {B::channels, B::labels, B::boxes, B::roles, B::places, B::masks},
       {B::gradient}},
      {O::edge_features,
       "edge_features",
       &edge_features,
       measure,
       {B::channels, B::labels, B::boxes, B::roles, B::places, B::masks},
       {B::edges}},
      {O::texture_features,
       "texture_features",
       &texture_features,
       measure,
       {B::channels, B::labels, B::boxes, B::roles, B::places, B::masks},
       {B::texture}},
      {O::collect,
       "collect",
       &collect_codelet,
       measure,
       {B::labels, B::boxes, B::roles, B::shape, B::intensity, B::gradient, B::edges, B::texture},
       {}},
  }};
}();

/// A tile as one task, where a run is not pipelined. Source: hybrid-pipelines-2012, section V-D.
inline constexpr SegmentationOperation kWholeTile{Operation::whole_tile, "whole_tile", &whole_tile_codelet,
                                                  Phase::tissue,         {},           {}};

constexpr const SegmentationOperation& row_of(Operation operation) {
  return operation == Operation::whole_tile ? kWholeTile : kStageGraph[static_cast<std::size_t>(operation)];
}

/// The family that an operation computes, or whose table a buffer is; none for the others.
constexpr std::optional<FeatureFamily> family_of(Operation operation) {
  const auto number = static_cast<std::size_t>(operation) - static_cast<std::size_t>(Operation::shape_features);
  return number < kFamilyCount ? std::optional(static_cast<FeatureFamily>(number)) : std::nullopt;
}
constexpr std::optional<FeatureFamily> family_of(Buffer buffer) {
  const auto number = static_cast<std::size_t>(buffer) - static_cast<std::size_t>(Buffer::shape);
  return number < kFamilyCount ? std::optional(static_cast<FeatureFamily>(number)) : std::nullopt;
}

/// Whether a run that finds its nuclei like this has the operation.
constexpr bool is_part_of(Operation operation, Detection detection) {
  const bool by_labels = detection == Detection::labels || detection == Detection::stars;
  if (operation == Operation::detect) return detection == Detection::learned;
  if (operation == Operation::infer) return detection == Detection::network;
  if (operation == Operation::read_scores) return detection == Detection::scores;
  if (operation == Operation::marked_relief) return detection != Detection::levels && !by_labels;
  if (operation >= Operation::rbc && operation <= Operation::pre_watershed) return detection == Detection::levels;
  if (operation == Operation::watershed || operation == Operation::bwlabel) return !by_labels;
  if (operation == Operation::infer_labels) return detection == Detection::stars;
  if (operation == Operation::read_labels) return detection == Detection::labels;
  return true;
}

/// Whether a run that measures these families leaves the operation out. `normalised` is the part of the run that sees
/// the colours of the reference, `detection` what finds the nuclei.
constexpr bool is_left_out(Operation operation, const FamilySet& families, Normalised normalised,
                           Detection detection = Detection::levels) {
  if (!is_part_of(operation, detection)) return true;
  if (const auto family = family_of(operation)) return !families.has(*family);
  if (operation == Operation::normalise_first) return normalised != Normalised::first;
  if (operation == Operation::normalise && normalised != Normalised::features) return true;
  const bool sees_colours = operation == Operation::normalise || operation == Operation::colour_deconvolution;
  return sees_colours && !families.has_channels();
}

/// True when no operation after `operation` reads `buffer`: it can be let go once `operation` is submitted. Never of
/// what is the run's.
constexpr bool is_last_reader(Operation operation, Buffer buffer) {
  if (is_of_run(buffer)) return false;
  bool seen = false;
  for (const SegmentationOperation& row : kStageGraph) {
    if (seen)
      for (const Buffer read : row.reads)
        if (read == buffer) return false;
    seen = seen || row.operation == operation;
  }
  return true;
}

}  // namespace starpath
