// `starpath segment`: the work behind the command line.
#pragma once
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "io/exports/export_options.hpp"
#include "io/results/result_store.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/segmentation/options.hpp"
#include "pipelines/segmentation/stage_graph.hpp"
#include "runs/input_state.hpp"
#include "runs/kept_files.hpp"
#include "runs/run_request.hpp"
#include "runs/segmentation/findings.hpp"
#include "runs/slide_pipeline.hpp"

namespace starpath {

/// What a user asks of a segmentation. The command makes it; from then on it is only read.
struct SegmentRequest : RunRequest {
  SegmentationOptions options;    ///< without what a slide says of them
  std::string exclude;            ///< a file with regions that are left out; empty: none
  double mpp = 0;                 ///< of the slide, as the user says; 0: not said
  std::string parameters_file;    ///< that options.parameters were read from; empty: none
  std::string weights_file;       ///< of the learned detector; empty: those of the program
  std::string network_file;       ///< an ONNX file; empty: none
  io::ExportOptions exporting;    ///< how exports are written
  std::optional<MapsAsked> maps;  ///< that tell where nuclei are, of the kind options.of_maps; none: the slide tells
};

/// Throws Error{usage} for options that make no sense whatever the slide is.
void check_request(const SegmentRequest& request);

/// The ONNX file of the request and its description; none without.
Paths network_files_of(const SegmentRequest& request);

/// The files that a user names for reading.
Paths files_read(const SegmentRequest& request);

/// The slide as it was asked for.
struct SegmentInput {
  /// Throws for options that make no sense with the slide.
  explicit SegmentInput(const SegmentRequest& request);

  /// What the readers of slide and maps have noticed so far, a line each.
  std::vector<std::string> warnings() const;

  std::unique_ptr<io::Slide> slide;
  io::Resolution resolution;
  io::WorkingSlide grid;
  std::vector<std::string> notes;  ///< on files of regions
  SegmentationOptions options;     ///< the request's, and what the slide says of them; the survey sets its levels
  ResultsOfRun run;
  std::vector<InputState> maps;
};

/// What the last step of a segmentation has found and written.
struct SegmentEnd {
  SegmentFindings found;
  ExportsAtEnd exports;
};

class SegmentPipeline final : public SlidePipeline {
 public:
  /// The request must outlive it.
  explicit SegmentPipeline(const SegmentRequest& request)
      : SlidePipeline(request, io::kSegmentationTables), request_(request) {}

  const char* found() const override { return "nuclei"; }
  std::vector<std::string> notes() const override;
  MemoryNeed memory_need() const override;
  void check_inputs() const override;
  Computed compute(TileSource& tiles, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                   mpi::Job* job) override;
  Conclusion conclude(const RunWork& work, const Ending& ending) override;

  /// Lines on files of regions, and on the folder where the slide is one of tiles; of an open pipeline.
  const std::vector<std::string>& region_notes() const { return input_->notes; }
  std::string tiles_note() const { return note_on_tiles(input_->slide->info()); }

  /// As conclude(), before it is told. `interrupted`: tiles are left.
  SegmentEnd end(bool interrupted, const Ending& ending);

 private:
  const ResultsOfRun& open_input() override;
  workflow::AbstractWorkflow stages() const override { return segmentation_workflow(); }
  std::vector<std::int64_t> begin() override;
  ExportsAtEnd write_exports_of(const Ending& ending) const;

  const SegmentRequest& request_;
  std::optional<SegmentInput> input_;
};

}  // namespace starpath
