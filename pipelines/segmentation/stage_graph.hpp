// The segmentation as a graph: which stage reads and writes what. Pure; submission follows this table, and nothing else
// says it.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>

namespace starpath {

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
};
inline constexpr std::size_t buffer_count = 18;

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
inline constexpr std::size_t stage_count = 16;

/// Stages are submitted in three steps, because two answers are needed on the way: is the tile all glass, and how many
/// objects are there (which sizes boxes, roles and table).
enum class Phase : unsigned char { tissue, segment, measure };

/// Up to five buffers in the order in which the codelet takes them.
struct BufferList {
  std::array<Buffer, 5> items{};
  std::size_t size = 0;

  template <class... Buffers>
  constexpr BufferList(Buffers... buffers) : items{buffers...}, size(sizeof...(buffers)) {}
  constexpr const Buffer* begin() const { return items.data(); }
  constexpr const Buffer* end() const { return items.data() + size; }
};

struct StageSpec {
  Stage stage;
  std::string_view name;
  Phase phase;
  BufferList reads;
  BufferList writes;
};

/// In an order in which every buffer is written before it is read. DESIGN 5.1 numbers the operations.
inline constexpr std::array<StageSpec, stage_count> stage_graph = {{
    {Stage::read, "read", Phase::tissue, {}, {Buffer::rgb}},
    {Stage::background, "background", Phase::tissue, {Buffer::rgb}, {Buffer::glass}},
    {Stage::count_background, "count_background", Phase::tissue, {Buffer::glass}, {Buffer::cells}},
    {Stage::rbc, "rbc", Phase::segment, {Buffer::rgb}, {Buffer::rbc}},
    {Stage::morph_open, "morph_open", Phase::segment, {Buffer::rgb}, {Buffer::inverted, Buffer::opened}},
    {Stage::recon_to_nuclei,
     "recon_to_nuclei",
     Phase::segment,
     {Buffer::inverted, Buffer::opened},
     {Buffer::difference}},
    {Stage::fill_holes, "fill_holes", Phase::segment, {Buffer::difference}, {Buffer::filled}},
    {Stage::area_threshold, "area_threshold", Phase::segment, {Buffer::filled}, {Buffer::seeds}},
    {Stage::select, "select", Phase::segment, {Buffer::difference, Buffer::seeds, Buffer::rbc}, {Buffer::selected}},
    {Stage::pre_watershed, "pre_watershed", Phase::segment, {Buffer::selected}, {Buffer::objects, Buffer::depth}},
    {Stage::watershed, "watershed", Phase::segment, {Buffer::objects, Buffer::depth}, {Buffer::nuclei}},
    {Stage::bwlabel, "bwlabel", Phase::segment, {Buffer::nuclei}, {Buffer::labels, Buffer::count}},
    {Stage::object_boxes, "object_boxes", Phase::measure, {Buffer::labels}, {Buffer::boxes}},
    {Stage::ownership, "ownership", Phase::measure, {Buffer::boxes}, {Buffer::roles}},
    {Stage::features,
     "features",
     Phase::measure,
     {Buffer::rgb, Buffer::labels, Buffer::boxes, Buffer::roles},
     {Buffer::table}},
    {Stage::collect, "collect", Phase::measure, {Buffer::labels, Buffer::boxes, Buffer::roles, Buffer::table}, {}},
}};

constexpr const StageSpec& spec_of(Stage stage) { return stage_graph[static_cast<std::size_t>(stage)]; }

/// True when no stage after `stage` reads `buffer`: it can be let go once `stage` is submitted.
constexpr bool is_last_reader(Stage stage, Buffer buffer) {
  bool seen = false;
  for (const StageSpec& spec : stage_graph) {
    if (seen)
      for (const Buffer read : spec.reads)
        if (read == buffer) return false;
    seen = seen || spec.stage == stage;
  }
  return true;
}

}  // namespace starpath
