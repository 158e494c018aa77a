// A run over the tiles of one slide, with results in one file.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "io/results/result_store.hpp"
#include "io/slides/resolution.hpp"
#include "io/slides/slide.hpp"
#include "runs/output_folder.hpp"
#include "runs/run_request.hpp"
#include "runs/run_steps.hpp"

namespace starpath {

/// How the names of tiles were understood, where the slide is a folder of these; else empty.
std::string note_on_tiles(const io::SlideInfo& slide);
/// What there is to tell of a slide before any work: that, unless a run is quiet, and a warning of its resolution.
std::vector<std::string> notes_on(const io::SlideInfo& slide, const io::Resolution& resolution, bool quiet);

/// What all pipelines over a slide do alike: they open, merge and close results. Each rank writes a results file of its
/// own, and rank 0 merges them. Among ranks, stages of tiles are handed out, and each rank reads for itself; with
/// streams (RunRequest::streams) some ranks read tiles, and send them as buffers to the ranks that ask for them. With
/// these also a single process is a rank.
class SlidePipeline : public RunSteps {
 public:
  RankPlan plan() const final;
  workflow::AbstractWorkflow workflow() const final;
  mpi::Agreement open(Role role) final;
  std::vector<std::int64_t> open_results() final;
  void open_part(const std::filesystem::path& part) final;
  void close() final { results_.reset(); }
  void take_over(const std::vector<RankPart>& parts, RunListener& report) final;
  /// While they are open.
  io::ResultStore& results() { return *results_; }

 protected:
  /// Both must outlive it. `tables`: the layout of the pipeline's results.
  SlidePipeline(const RunRequest& request, const io::ResultTables& tables) : asked_(request), tables_(tables) {}

  /// The results, opened to go on with where they were closed.
  io::ResultStore& reopened_results();
  /// The file is given up: from now on it is only read.
  void read_results_only();

 private:
  /// As open(). All ranks must agree in the key. What is returned lives as long as this object.
  virtual const ResultsOfRun& open_input() = 0;
  /// The stages of every tile that are handed out.
  virtual workflow::AbstractWorkflow stages() const = 0;
  /// What all ranks must agree in besides; empty: nothing.
  virtual std::string agreement() const { return ""; }
  /// The manager has opened the results, new or to go on with. Returns the units that they lack.
  virtual std::vector<std::int64_t> begin() = 0;

  const RunRequest& asked_;
  const io::ResultTables& tables_;
  const ResultsOfRun* run_ = nullptr;
  std::optional<io::ResultStore> results_;
};

}  // namespace starpath
