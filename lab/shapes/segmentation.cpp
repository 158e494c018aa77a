// Nuclei segmentation with features: the stages of the papers.
#include "lab/shapes/shape.hpp"

namespace starpath::lab {
namespace {

/// Data of a tile, in the order in which they are created.
enum Item : unsigned {
  tile,
  no_tissue,
  red_cells,
  opened,
  difference,
  filled,
  seeds,
  selected,
  distance,
  cut,
  labels,
  stains,
  pixel_rows,
  gradient_rows,
  edge_rows,
  item_count
};

/// Bytes a pixel: an image has 3, a mask or gray image 1, labels and distances 4. Rows of features are 1 MB.
double megabytes_of(Item item, double plane) {
  if (item >= pixel_rows) return 1;
  if (item == tile || item == stains) return 3 * plane;
  return item == distance || item == labels ? 4 * plane : plane;
}

struct Stage {
  const char* kind;
  std::vector<Item> reads;
  Item writes;
};

/// Source: edc-2014 and hybrid-pipelines-2012, section II. This is not the graph of the pipeline of today
/// (pipelines/segmentation/stage_graph.hpp), which reads and writes other data and measures features in other stages:
/// with it the papers' experiments would have other makespans. A test in tests/pipelines compares the two.
const std::vector<Stage>& stages() {
  static const std::vector<Stage> all = {
      {"read", {}, tile},
      {"background", {tile}, no_tissue},
      {"rbc", {tile}, red_cells},
      {"morph_open", {tile}, opened},
      {"recon_to_nuclei", {tile, opened}, difference},
      {"fill_holes", {difference}, filled},
      {"area_threshold", {filled}, seeds},
      {"select", {no_tissue, red_cells, difference, seeds}, selected},
      {"pre_watershed", {selected}, distance},
      {"watershed", {selected, distance}, cut},
      {"bwlabel", {cut}, labels},
      {"colour_deconvolution", {tile}, stains},
      {"pixel_features", {stains, labels}, pixel_rows},
      {"gradient_features", {stains, labels}, gradient_rows},
      {"edge_features", {stains, labels}, edge_rows},
  };
  return all;
}

/// The dependencies of a tile's tasks besides their data. Two stages: features wait for the segmentation
/// (hybrid-pipelines-2012 III-A, edc-2014 IV-A). One by one: a tile has one task to offer at any time
/// (hybrid-pipelines-2012 V-F).
enum class Order : unsigned { data, two_stages, one_by_one };

void add_tile(WorkloadBuilder& build) {
  const double plane = build.parameter("tile_MB") / 3;
  std::vector<unsigned> data;
  for (unsigned item = 0; item < item_count; ++item)
    data.push_back(build.data(megabytes_of(static_cast<Item>(item), plane)));
  const auto order = static_cast<Order>(build.count("order"));
  const unsigned turn = order != Order::data ? build.data(1e-6) : 0;  // a byte that passes from task to task
  for (unsigned kind = 0; kind < stages().size(); ++kind) {
    const Stage& stage = stages()[kind];
    std::vector<Access> accesses;
    for (const Item item : stage.reads) accesses.push_back({data[item], kRead});
    accesses.push_back({data[stage.writes], kWrite});
    if (order == Order::one_by_one) accesses.push_back({turn, kReadWrite});
    if (order == Order::two_stages && stage.writes == labels) accesses.push_back({turn, kWrite});
    if (order == Order::two_stages && stage.writes == stains) accesses.push_back({turn, kRead});
    build.task(kind, std::move(accesses));
  }
}

/// The whole tile as one task, which reads it and writes its features.
void add_monolithic_tile(WorkloadBuilder& build) {
  Workload& workload = build.workload();
  const std::size_t first = workload.tasks.size(), kept = workload.data.size();
  add_tile(build);
  build.merge(first);
  workload.data.resize(kept);
  workload.tasks.back().data = {{build.data(build.parameter("tile_MB")), kRead}, {build.data(3), kWrite}};
}

void build(WorkloadBuilder& build) {
  const bool monolithic = build.count("monolithic") != 0;
  for (unsigned i = 0; i < build.count("tiles"); ++i) {
    build.group();
    if (monolithic)
      add_monolithic_tile(build);
    else
      add_tile(build);
  }
}

}  // namespace

Shape segmentation_shape() {
  std::vector<std::string> kinds;
  for (const Stage& stage : stages()) kinds.emplace_back(stage.kind);
  return {"segmentation",
          {kTiles, kWindow, {"tile", "MB", 0, 1e4}, {"monolithic", "", 0, 1}, {"order", "", 0, 2}},
          std::move(kinds),
          build};
}

}  // namespace starpath::lab
