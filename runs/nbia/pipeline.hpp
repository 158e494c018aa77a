// `starpath nbia run`: the work behind the command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/results/field_store.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/nbia/model_choice.hpp"
#include "pipelines/nbia/run_nbia.hpp"
#include "pipelines/nbia/stage_graph.hpp"
#include "runs/run_request.hpp"
#include "runs/slide_pipeline.hpp"

namespace starpath {

/// What a user asks of NBIA. The command line fills it in; from then on it is only read.
struct NbiaRequest : RunRequest {
  ModelChoice model;
  NbiaOptions options;  ///< without what a slide says of them
};

/// Slide and model as they were asked for.
struct NbiaInput {
  /// Throws for options that make no sense with them.
  explicit NbiaInput(const NbiaRequest& request);

  NbiaModel model;
  std::unique_ptr<io::Slide> slide;
  io::Resolution resolution;
  io::WorkingSlide grid;
  NbiaOptions options;
  ResultsOfRun run;
};

class NbiaPipeline final : public SlidePipeline {
 public:
  /// The request must outlive it.
  explicit NbiaPipeline(const NbiaRequest& request) : SlidePipeline(request, io::kNbiaTables), request_(request) {}

  const char* unit() const override { return "field"; }
  const char* found() const override { return "tissue_fields"; }
  std::vector<std::string> notes() const override;
  MemoryNeed memory_need() const override;
  Computed compute(TileSource& fields, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                   mpi::Job* job) override;
  Conclusion conclude(const RunWork& work, const Ending& ending) override;

 private:
  const ResultsOfRun& open_input() override;
  workflow::AbstractWorkflow stages() const override { return nbia_workflow(); }
  std::vector<std::int64_t> begin() override;

  const NbiaRequest& request_;
  std::optional<NbiaInput> input_;
};

}  // namespace starpath
