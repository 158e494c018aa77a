// Many slides in one run.
#pragma once
#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

#include "apps/segment/command.hpp"
#include "apps/segment/pipeline.hpp"
#include "apps/study/study_books.hpp"
#include "apps/study/study_report.hpp"
#include "io/study/study_store.hpp"
#include "runs/run_steps.hpp"

namespace starpath::apps {

/// A run whose units are slides: each is segmented into a folder of its own within request.out, as a run over it alone
/// would. What the request says of resolution and regions holds for slides that do not say it.
class StudyRun final : public RunSteps {
 public:
  using Slides = std::function<std::vector<io::StudySlide>()>;

  /// Request and listener must outlive it. `slides` says which: it is asked by the manager alone, which tells the other
  /// ranks.
  StudyRun(const SegmentRequest& request, Slides slides, RunListener& listener)
      : request_(request), ask_(std::move(slides)), listener_(listener) {}

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
  const Slides ask_;
  RunListener& listener_;
  std::vector<io::StudySlide> slides_;  // the manager's
  std::optional<StudyReport> report_;
  std::optional<StudyBooks> books_;
  nlohmann::json devices_;
};

/// Segments the slides that the user names. Returns the exit code (docs/robustness.md).
int run_study(const SegmentRequest& request, const SlidesAsked& asked);

}  // namespace starpath::apps
