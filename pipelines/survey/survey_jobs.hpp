// The two kinds of work of a survey: patches of a first look, and a field.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "codelets/kernels/survey.hpp"
#include "io/slides/working_slide.hpp"
#include "pipelines/run/tile_run.hpp"
#include "pipelines/survey/probes.hpp"
#include "pipelines/survey/stage_graph.hpp"
#include "pipelines/survey/survey_slide.hpp"

namespace starpath {

/// Reads some patches in one task. A patch that cannot be read stays empty.
class ProbeJob : public TileJob {
 public:
  /// `patches` of `plan` are its own; they and the slide must outlive it. Each is tried so many times. The job's events
  /// go to `run`.
  ProbeJob(std::int64_t number, const io::Slide& slide, const ProbePlan& plan,
           std::span<const ProbePlan::Patch> patches, int tries, TileRun& run);

  void start(int) override { tasks_.submit(kProbeStage, no_buffers_, this); }
  bool advance() override { return false; }
  void reset() override { probes_.clear(); }
  StageTasks& tasks() override { return tasks_; }

  std::int64_t number() const { return number_; }
  /// May be called once.
  std::vector<Probe> take_probes() { return std::move(probes_); }

  /// The body of survey_probe_codelet, on a worker's thread.
  void read_patches();

 private:
  const std::int64_t number_;
  const io::Slide& slide_;
  const ProbePlan& plan_;
  const std::span<const ProbePlan::Patch> patches_;
  const int tries_;
  StageTasks tasks_;
  Buffers<SurveyBuffer, kSurveyBufferCount> no_buffers_;
  std::vector<Probe> probes_;
};

/// Counts one field. At the last try, what cannot be read of it is glass, and the field is given up where that leaves
/// nothing.
class SurveyFieldJob : public TileJob {
 public:
  /// `colours`: a ColourMap by which the pixels are changed first, or nullptr.
  SurveyFieldJob(const Tile& field, const io::WorkingSlide& slide, Rgb white, starpu_data_handle_t colours,
                 const SurveyOptions& options, TileRun& run);
  ~SurveyFieldJob() override { release(); }

  void start(int stage) override;
  bool advance() override;
  void reset() override { release(); }
  StageTasks& tasks() override { return tasks_; }

  const Tile& field() const { return field_; }
  /// Valid once all tasks have ended.
  const SurveyCounts& counts() const { return counts_; }

  /// The body of survey_read_codelet, on a worker's thread.
  void read(View<Rgb> rgb);

 private:
  void register_buffer(SurveyBuffer buffer);
  void release();

  const Tile field_;
  const io::WorkingSlide& slide_;
  const int tries_;
  StageTasks tasks_;
  std::array<TaskArguments, kSurveyGraph.size()> kernel_arguments_;  // by SurveyStage
  Buffers<SurveyBuffer, kSurveyBufferCount> buffers_;
  SurveyCounts counts_{};
};

}  // namespace starpath
