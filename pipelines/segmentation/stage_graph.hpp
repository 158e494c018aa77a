// The segmentation as a graph: which operation reads and writes which buffers, and which parameters it takes. Tasks are
// submitted by this table alone. A row of the table is a `Stage` here; the workflow's two stages are each made of rows.
#pragma once
#include <array>
#include <cstddef>

#include "codelets/kernels/segmentation_parameters.hpp"
#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"
#include "workflow/abstract_workflow.hpp"

namespace starpath {

// What only CPUs do, as it touches files and records: cl_arg is the SegmentationJob.
extern starpu_codelet read_codelet, ownership_codelet, collect_codelet;

/// Data that lives while a tile is processed.
enum class Buffer : unsigned char {
  rgb,
  glass,
  cells,
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
  normalised,
  table,
  stains,  // this and the next are of the run: written by no stage, and kept
  colours,
};
inline constexpr std::size_t kBufferCount = 21;

constexpr bool is_of_run(Buffer buffer) { return buffer == Buffer::stains || buffer == Buffer::colours; }

enum class Stage : unsigned char {
  read,
  background,
  count_background,
  rbc,
  morph_open,
  recon_to_nuclei,
  fill_holes,
  area_threshold,
  select,
  pre_watershed,
  watershed,
  bwlabel,
  object_boxes,
  ownership,
  normalise,
  features,
  collect,
};
inline constexpr std::size_t kStageCount = 17;

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

using SegmentationStage = StageSpec<Stage, Phase, Buffer, int PixelParameters::*>;

/// In an order in which every buffer is written before it is read.
inline constexpr auto kStageGraph = [] {
  using S = Stage;
  using B = Buffer;
  using P = PixelParameters;
  using enum Phase;
  using namespace codelets;
  return std::array<SegmentationStage, kStageCount>{{
      {S::read, "read", &read_codelet, tissue, {}, {B::rgb}},
      {S::background, "background", &background, tissue, {B::rgb}, {B::glass}, {&P::background_level}},
      // Its numbers are the place of the tile (SegmentationJob).
      {S::count_background, "count_background", &count_background, tissue, {B::glass}, {B::cells}},
      {S::rbc, "rbc", &rbc, segment, {B::rgb}, {B::rbc}, {&P::red_high, &P::red_low, &P::haematoxylin_level}},
      {S::morph_open, "morph_open", &morph_open, segment, {B::rgb}, {B::inverted, B::opened}, {&P::opening_reach}},
      {S::recon_to_nuclei,
       "recon_to_nuclei",
       &recon_to_nuclei,
       segment,
       {B::inverted, B::opened},
       {B::difference},
       {&P::reconstruction_steps}},
      {S::fill_holes, "fill_holes", &fill_holes, segment, {B::difference}, {B::filled}, {&P::seed_level}},
      {S::area_threshold,
       "area_threshold",
       &area_threshold,
       segment,
       {B::filled},
       {B::seeds},
       {&P::seed_min_area, &P::seed_max_area}},
      {S::select,
       "select",
       &codelets::select,
       segment,
       {B::difference, B::seeds, B::rbc},
       {B::selected},
       {&P::nucleus_level, &P::local_reach, &P::local_weight, &P::hole_max_area}},
      {S::pre_watershed,
       "pre_watershed",
       &pre_watershed,
       segment,
       {B::selected},
       {B::objects, B::depth},
       {&P::clump_min_area, &P::grow_steps, &P::smooth_steps, &P::split_depth}},
      {S::watershed, "watershed", &watershed, segment, {B::objects, B::depth}, {B::nuclei}},
      {S::bwlabel,
       "bwlabel",
       &bwlabel,
       segment,
       {B::nuclei},
       {B::labels, B::count},
       {&P::nucleus_min_area, &P::nucleus_max_area}},
      {S::object_boxes, "object_boxes", &object_boxes, measure, {B::labels}, {B::boxes}},
      {S::ownership, "ownership", &ownership_codelet, measure, {B::boxes}, {B::roles}},
      // Without normalisation it is left out, and the pixels themselves are handed on.
      {S::normalise, "normalise", &normalise, measure, {B::rgb, B::colours}, {B::normalised}},
      {S::features,
       "features",
       &features,
       measure,
       {B::normalised, B::labels, B::boxes, B::roles, B::stains},
       {B::table}},
      {S::collect, "collect", &collect_codelet, measure, {B::labels, B::boxes, B::roles, B::table}, {}},
  }};
}();

/// True when no stage after `stage` reads `buffer`: it can be let go once `stage` is submitted. Never of what is the
/// run's.
constexpr bool is_last_reader(Stage stage, Buffer buffer) {
  if (is_of_run(buffer)) return false;
  bool seen = false;
  for (const SegmentationStage& spec : kStageGraph) {
    if (seen)
      for (const Buffer read : spec.reads)
        if (read == buffer) return false;
    seen = seen || spec.stage == stage;
  }
  return true;
}

}  // namespace starpath
