// `starpath workflow`: the work behind the command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/results/row_store.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/declared/run_declared.hpp"
#include "runs/run_request.hpp"
#include "runs/slide_pipeline.hpp"

namespace starpath {

/// What a user asks of a pipeline of his own. The command line fills it in; from then on it is only read.
struct WorkflowRequest : RunRequest {
  std::string module;
  double mpp = 0;           ///< of the slide; 0 to trust it
  DeclaredOptions options;  ///< without what a slide says of them
};

/// Slide and module as they were asked for.
struct WorkflowInput {
  /// Throws for options that make no sense with them.
  explicit WorkflowInput(const WorkflowRequest& request);

  DeclaredPipeline pipeline;
  std::unique_ptr<io::Slide> slide;
  io::Resolution resolution;
  io::WorkingSlide grid;
  DeclaredOptions options;
  ResultsOfRun run;
};

class WorkflowPipeline final : public SlidePipeline {
 public:
  /// The request must outlive it.
  explicit WorkflowPipeline(const WorkflowRequest& request)
      : SlidePipeline(request, io::kRowTables), request_(request) {}

  const char* found() const override { return "rows"; }
  std::vector<std::string> notes() const override;
  MemoryNeed memory_need() const override;
  Computed compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                   mpi::Job* job) override;
  Conclusion conclude(const RunWork& work, const Ending& ending) override;

 private:
  const ResultsOfRun& open_input() override;
  workflow::AbstractWorkflow stages() const override { return input_->pipeline.workflow(); }
  std::string agreement() const override { return input_->pipeline.shape(); }
  std::vector<std::int64_t> begin() override;
  io::RowStore rows_of(const io::ResultStore& results) const {
    return {results, input_->pipeline.declared().result.columns.size()};
  }

  const WorkflowRequest& request_;
  std::optional<WorkflowInput> input_;
};

}  // namespace starpath
