// Many slides in one run.
#pragma once
#include <filesystem>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "io/slides/slides_asked.hpp"
#include "io/study/study_store.hpp"
#include "runs/run_steps.hpp"
#include "runs/segmentation/pipeline.hpp"
#include "runs/study/study_books.hpp"
#include "runs/study/study_report.hpp"

namespace starpath {

/// A run whose units are slides: each is segmented into a folder of its own within request.out, as a run over it alone
/// would. What the request says of resolution and regions holds for slides that do not say it.
class StudyRun final : public RunSteps {
 public:
  /// All must outlive it. The manager alone reads which slides are asked for, and tells the other ranks.
  StudyRun(const SegmentRequest& request, const io::SlidesAsked& asked, RunListener& listener)
      : request_(request), asked_(asked), listener_(listener) {}

  const char* found() const override { return "nuclei"; }
  workflow::AbstractWorkflow workflow() const override { return workflow::single_stage("slide"); }
  mpi::Agreement open(Role role) override;
  MemoryNeed memory_need() const override { return {}; }
  std::vector<std::int64_t> open_results() override;
  void open_part(const std::filesystem::path&) override {}
  /// Tells the progress itself, by slides.
  Computed compute(TileSource& slides, const ProgressCallback& on_progress, const std::atomic<bool>& stop,
                   mpi::Job* job) override;
  void close() override {}
  void take_over(const std::vector<RankPart>& parts, RunListener& report) override;
  Conclusion conclude(const RunWork& work, const Ending& ending) override;

 private:
  const SegmentRequest& request_;
  const io::SlidesAsked& asked_;
  RunListener& listener_;
  std::vector<io::StudySlide> slides_;  // the manager's
  std::optional<StudyReport> report_;
  std::optional<StudyBooks> books_;
  nlohmann::json devices_;
};

}  // namespace starpath
