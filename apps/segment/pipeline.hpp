// `starpath segment`: the work behind the command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <vector>

#include "apps/run/run_arguments.hpp"
#include "apps/run/slide_pipeline.hpp"
#include "apps/segment/parameter_options.hpp"
#include "io/exports/export_options.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/options.hpp"
#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath::apps {

struct SegmentArguments : RunArguments {
  SegmentationOptions options;
  std::string exclude;            ///< a file with regions that are left out; empty: none
  double mpp = 0;                 ///< of the slide, as the user says; 0: not said
  ParameterArguments parameters;  ///< from which options.parameters are made
  io::ExportOptions exporting;    ///< how exports are written
};

/// Throws Error{usage} for options that make no sense whatever the slide is.
void check_arguments(const SegmentArguments& arguments);

/// The slide as it was asked for.
struct SegmentInput {
  /// Throws for options that make no sense with the slide.
  explicit SegmentInput(SegmentArguments& arguments);

  std::unique_ptr<io::Slide> slide;
  io::Resolution resolution;
  io::WorkingSlide grid;
  io::RunKey key;
  io::RunInfo info;
};

class SegmentPipeline final : public SlidePipeline {
 public:
  /// Notes in the arguments what the input says of them. They must outlive it.
  explicit SegmentPipeline(SegmentArguments& arguments) : arguments_(arguments) {}

  const char* found() const override { return "nuclei"; }
  workflow::AbstractWorkflow workflow() const override { return segmentation_workflow(); }
  const io::RunKey& open() override;
  void warn() const override;
  MemoryNeed memory_need() const override;
  std::vector<std::int64_t> open_results() override;
  void open_part(const std::filesystem::path& part) override { store_.emplace(create(part)); }
  Computed compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                   mpi::Job* job) override;
  void close() override { store_.reset(); }
  std::int64_t merge(const std::filesystem::path& part) override;
  void conclude(ProgressReport& report, const std::atomic<bool>& stop, Outcome& outcome) override;

  /// After open_results() or conclude().
  const io::ResultStore& results() const { return *store_; }

 private:
  io::ResultStore create(const std::filesystem::path& file) const;
  io::ResultStore resume() const;

  SegmentArguments& arguments_;
  std::optional<SegmentInput> input_;
  std::optional<io::ResultStore> store_;
};

}  // namespace starpath::apps
