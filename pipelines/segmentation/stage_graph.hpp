// The segmentation as a graph: which stage reads and writes what. Submission follows this table, and nothing else says
// it.
#pragma once
#include <array>
#include <cstddef>

#include "codelets/starpu/codelets.hpp"
#include "pipelines/run/stage_tasks.hpp"

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
  table,
  stains,  // of the run: written by no stage, and kept
};
inline constexpr std::size_t kBufferCount = 19;

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
  features,
  collect,
};
inline constexpr std::size_t kStageCount = 16;

/// Stages are submitted in three steps, because two answers are needed on the way: is the tile all glass, and how many
/// objects are there (which sizes boxes, roles and table).
enum class Phase : unsigned char { tissue, segment, measure };

using SegmentationStage = StageSpec<Stage, Phase, Buffer>;

/// In an order in which every buffer is written before it is read.
inline constexpr std::array<SegmentationStage, kStageCount> kStageGraph = {{
    {Stage::read, "read", &read_codelet, Phase::tissue, {}, {Buffer::rgb}},
    {Stage::background, "background", &codelets::background, Phase::tissue, {Buffer::rgb}, {Buffer::glass}},
    {Stage::count_background,
     "count_background",
     &codelets::count_background,
     Phase::tissue,
     {Buffer::glass},
     {Buffer::cells}},
    {Stage::rbc, "rbc", &codelets::rbc, Phase::segment, {Buffer::rgb}, {Buffer::rbc}},
    {Stage::morph_open,
     "morph_open",
     &codelets::morph_open,
     Phase::segment,
     {Buffer::rgb},
     {Buffer::inverted, Buffer::opened}},
    {Stage::recon_to_nuclei,
     "recon_to_nuclei",
     &codelets::recon_to_nuclei,
     Phase::segment,
     {Buffer::inverted, Buffer::opened},
     {Buffer::difference}},
    {Stage::fill_holes, "fill_holes", &codelets::fill_holes, Phase::segment, {Buffer::difference}, {Buffer::filled}},
    {Stage::area_threshold,
     "area_threshold",
     &codelets::area_threshold,
     Phase::segment,
     {Buffer::filled},
     {Buffer::seeds}},
    {Stage::select,
     "select",
     &codelets::select,
     Phase::segment,
     {Buffer::difference, Buffer::seeds, Buffer::rbc},
     {Buffer::selected}},
    {Stage::pre_watershed,
     "pre_watershed",
     &codelets::pre_watershed,
     Phase::segment,
     {Buffer::selected},
     {Buffer::objects, Buffer::depth}},
    {Stage::watershed,
     "watershed",
     &codelets::watershed,
     Phase::segment,
     {Buffer::objects, Buffer::depth},
     {Buffer::nuclei}},
    {Stage::bwlabel, "bwlabel", &codelets::bwlabel, Phase::segment, {Buffer::nuclei}, {Buffer::labels, Buffer::count}},
    {Stage::object_boxes, "object_boxes", &codelets::object_boxes, Phase::measure, {Buffer::labels}, {Buffer::boxes}},
    {Stage::ownership, "ownership", &ownership_codelet, Phase::measure, {Buffer::boxes}, {Buffer::roles}},
    {Stage::features,
     "features",
     &codelets::features,
     Phase::measure,
     {Buffer::rgb, Buffer::labels, Buffer::boxes, Buffer::roles, Buffer::stains},
     {Buffer::table}},
    {Stage::collect,
     "collect",
     &collect_codelet,
     Phase::measure,
     {Buffer::labels, Buffer::boxes, Buffer::roles, Buffer::table},
     {}},
}};

constexpr const SegmentationStage& spec_of(Stage stage) { return kStageGraph[static_cast<std::size_t>(stage)]; }

/// True when no stage after `stage` reads `buffer`: it can be let go once `stage` is submitted. Never of what is the
/// run's.
constexpr bool is_last_reader(Stage stage, Buffer buffer) {
  if (buffer == Buffer::stains) return false;
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
