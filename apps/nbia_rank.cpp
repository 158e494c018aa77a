// NBIA as one rank of several.
#include <optional>
#include <utility>

#include "apps/nbia_run.hpp"
#include "apps/rank_run.hpp"
#include "io/result_parts.hpp"

namespace starpath::apps {
namespace {

class NbiaRank : public RankPipeline {
 public:
  explicit NbiaRank(NbiaArguments& arguments) : arguments_(arguments) {}

  const io::RunKey& open() override { return input_.emplace(arguments_).key; }
  std::vector<std::int64_t> open_results() override {
    store_.emplace(open_fields(arguments_, *input_));
    return fields_left(input_->grid, *store_, input_->model, arguments_.options);
  }
  void open_part(const std::filesystem::path& part) override {
    store_.emplace(io::FieldStore::create(part, input_->key, input_->info));
  }
  Progress run(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop) override {
    return run_nbia_fields(input_->grid, *store_, input_->model, arguments_.options, tiles, on_progress, stop);
  }
  void close() override { store_.reset(); }
  std::int64_t merge(const std::filesystem::path& part) override {
    return io::merge_field_part(results_file(arguments_), part, input_->key);
  }
  void conclude(ProgressReport& report, Outcome& outcome) override {
    store_.emplace(io::FieldStore::resume(results_file(arguments_), input_->key));
    conclude_nbia(arguments_, *input_, *store_, report, outcome);
  }

 private:
  NbiaArguments& arguments_;
  std::optional<NbiaInput> input_;
  std::optional<io::FieldStore> store_;
};

}  // namespace

int nbia_as_rank(NbiaArguments arguments) {
  NbiaRank pipeline(arguments);
  return run_as_rank(arguments, "tissue_fields", pipeline);
}

}  // namespace starpath::apps
