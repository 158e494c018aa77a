// Segmenting as one rank of several.
#include <optional>
#include <utility>

#include "apps/run/rank_run.hpp"
#include "apps/segment/run.hpp"
#include "io/results/result_parts.hpp"

namespace starpath::apps {
namespace {

class SegmentRank : public RankPipeline {
 public:
  explicit SegmentRank(SegmentArguments& arguments) : arguments_(arguments) {}

  const io::RunKey& open() override { return input_.emplace(arguments_).key; }
  std::vector<std::int64_t> open_results() override {
    store_.emplace(apps::open_results(arguments_, *input_));
    return tiles_left(input_->grid, *store_, arguments_.options);
  }
  void open_part(const std::filesystem::path& part) override {
    store_.emplace(io::ResultStore::create(part, input_->key, input_->info));
  }
  RankWork run(cluster::Cluster&, TileSource& tiles, const ProgressCallback& on_progress,
               const std::atomic<bool>& stop) override {
    return {segment_tiles(input_->grid, *store_, arguments_.options, tiles, on_progress, stop)};
  }
  void close() override { store_.reset(); }
  std::int64_t merge(const std::filesystem::path& part) override {
    return io::merge_part(results_file(arguments_), part, input_->key);
  }
  void conclude(ProgressReport& report, Outcome& outcome) override {
    store_.emplace(io::ResultStore::resume(results_file(arguments_), input_->key));
    conclude_segmentation(arguments_, *input_, *store_, report, outcome);
  }

 private:
  SegmentArguments& arguments_;
  std::optional<SegmentInput> input_;
  std::optional<io::ResultStore> store_;
};

}  // namespace

int segment_as_rank(SegmentArguments arguments) {
  SegmentRank pipeline(arguments);
  return run_as_rank(arguments, "nuclei", pipeline);
}

}  // namespace starpath::apps
