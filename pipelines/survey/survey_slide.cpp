// The steps of a survey: probes, then fields, then the derivation from their counts.
#include "pipelines/survey/survey_slide.hpp"

#include <starpu.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <numeric>
#include <utility>

#include "codelets/kernels/gpu_memory.hpp"
#include "codelets/starpu/gpu_workers.hpp"
#include "pipelines/run/run_constant.hpp"
#include "pipelines/run/tile_list.hpp"
#include "pipelines/survey/derive.hpp"
#include "pipelines/survey/survey_jobs.hpp"

namespace starpath {
namespace {

TileRunOptions run_options(int attempts, TaskLog* log) {
  return {std::size_t{2} * starpu_worker_get_count(), attempts, log};
}

std::vector<std::int64_t> numbers(std::size_t count) {
  std::vector<std::int64_t> all(count);
  std::iota(all.begin(), all.end(), std::int64_t{0});
  return all;
}

MemoryNeed need_of_fields(const std::vector<Tile>& fields) {
  const std::int64_t pixels = largest_region(fields), rgb = pixels * std::int64_t{sizeof(Rgb)};
  return {rgb + std::max(rgb, 3 * pixels), rgb, "survey field", ""};  // colours of the reference, or three images
}

/// The first look, some patches a job.
class Probing : public TilePipeline {
 public:
  Probing(const io::Slide& slide, const ProbePlan& plan, const SurveyOptions& options)
      : slide_(slide), plan_(plan), options_(options) {}

  /// False when it was stopped.
  bool work(const std::atomic<bool>& stop) {
    const std::size_t jobs = (plan_.patches.size() + kPatchesOfJob - 1) / kPatchesOfJob;
    by_job_.resize(jobs);
    TileList list(numbers(jobs));
    const ProgressCallback nobody;
    TileRun run(*this, list, run_options(1, options_.log), nobody);
    run_ = &run;
    return !run.work(jobs, jobs, stop).interrupted;
  }
  std::vector<Probe> take_probes() {
    std::vector<Probe> probes;
    for (auto& some : by_job_) std::move(some.begin(), some.end(), std::back_inserter(probes));
    return probes;
  }

  std::vector<std::string> prepare_gpus() override { return {}; }
  MemoryNeed memory_need() const override { return {}; }
  std::unique_ptr<TileJob> make_job(std::int64_t job) override {
    const std::size_t begin = static_cast<std::size_t>(job) * kPatchesOfJob;
    const auto patches = std::span(plan_.patches).subspan(begin, std::min(kPatchesOfJob, plan_.patches.size() - begin));
    return std::make_unique<ProbeJob>(job, slide_, plan_, patches, options_.attempts, *run_);
  }
  void finish(TileJob& finished, const std::string&) override {
    auto& job = static_cast<ProbeJob&>(finished);
    by_job_[static_cast<std::size_t>(job.number())] = job.take_probes();
    run_->done({job.number(), false, false, 0, ""});
  }

 private:
  /// Neighbours share blocks of the file.
  static constexpr std::size_t kPatchesOfJob = 64;

  const io::Slide& slide_;
  const ProbePlan& plan_;
  const SurveyOptions& options_;
  TileRun* run_ = nullptr;
  std::vector<std::vector<Probe>> by_job_;
};

/// The close look at the fields that were chosen.
class Fields : public TilePipeline {
 public:
  Fields(const io::WorkingSlide& slide, std::vector<Tile> fields, Rgb white, const SurveyOptions& options)
      : slide_(slide), fields_(std::move(fields)), white_(white), options_(options) {}
  /// The same on the colours of the reference, of a slide that looks so.
  Fields(const io::WorkingSlide& slide, std::vector<Tile> fields, const StainLook& look, const SurveyOptions& options)
      : Fields(slide, std::move(fields), kReferenceLook.white, options) {
    colours_.emplace(colour_map(look, kReferenceLook));
  }

  /// False when it was stopped.
  bool work(const std::atomic<bool>& stop) {
    TileList list(numbers(fields_.size()));
    const ProgressCallback nobody;
    TileRun run(*this, list, run_options(options_.attempts, options_.log), nobody);
    run_ = &run;
    return !run.work(fields_.size(), fields_.size(), stop).interrupted;
  }
  std::vector<SurveyCounts> counts() const {
    std::vector<SurveyCounts> all;
    for (const auto& [field, counts] : counts_) all.push_back(counts);
    return all;
  }
  /// Of the fields that were counted, in the order of their counts.
  std::vector<Place> places() const {
    std::vector<Place> all;
    for (const Tile& field : fields_)
      if (counts_.contains(field.index)) all.push_back({field.core.x, field.core.y});
    return all;
  }

  std::vector<std::string> prepare_gpus() override {
    if (options_.gpus_prepared) return {};
    const std::int64_t largest = largest_region(fields_);
    return codelets::prepare_gpu_workers(largest, gpu_scratch_bytes(largest));
  }
  MemoryNeed memory_need() const override { return need_of_fields(fields_); }
  std::unique_ptr<TileJob> make_job(std::int64_t number) override {
    return std::make_unique<SurveyFieldJob>(fields_[static_cast<std::size_t>(number)], slide_, white_,
                                            colours_ ? colours_->handle() : nullptr, options_, *run_);
  }
  void finish(TileJob& finished, const std::string& error) override {
    const auto& job = static_cast<const SurveyFieldJob&>(finished);
    if (error.empty()) counts_[job.field().index] = job.counts();
    run_->done({job.instance.tile, !error.empty(), false, 0, ""});
  }

 private:
  const io::WorkingSlide& slide_;
  const std::vector<Tile> fields_;
  const Rgb white_;
  const SurveyOptions& options_;
  std::optional<RunConstant<ColourMap>> colours_;
  TileRun* run_ = nullptr;
  std::map<std::int64_t, SurveyCounts> counts_;
};

}  // namespace

MemoryNeed survey_memory_need(const io::WorkingSlide& slide, const Rect& roi,
                              const std::function<bool(const Rect& field)>& wanted) {
  return need_of_fields(survey_fields(slide.width(), slide.height(), roi, wanted));
}

std::optional<Survey> survey_slide(const io::WorkingSlide& slide, const SurveyOptions& options,
                                   const std::atomic<bool>& stop) {
  const std::vector<Tile> fields = survey_fields(slide.width(), slide.height(), options.roi, options.wanted);
  const ProbePlan plan = plan_probes(fields, slide.slide().info().levels, slide.scale());
  Probing probing(slide.slide(), plan, options);
  if (!probing.work(stop)) return std::nullopt;
  const std::vector<Probe> probes = probing.take_probes();
  const std::optional<Rgb> white = find_white(probes);

  const std::vector<Tile> chosen = choose_fields(fields, probes, white.value_or(kDefaultWhite));
  Fields close_look(slide, chosen, white.value_or(kDefaultWhite), options);
  if (!close_look.work(stop)) return std::nullopt;
  const std::vector<SurveyCounts> counts = close_look.counts();
  const auto unreadable = static_cast<std::int64_t>(chosen.size() - counts.size()) +
                          std::count_if(probes.begin(), probes.end(), [](const Probe& p) { return p.pixels.empty(); });
  Survey survey =
      derive_survey({static_cast<std::int64_t>(fields.size()), white, unreadable, close_look.places()}, counts);
  const std::optional<StainLook> look = options.normalise ? look_of(survey) : std::nullopt;
  if (!look) return survey;
  Fields recoloured(slide, chosen, *look, options);
  if (!recoloured.work(stop)) return std::nullopt;
  return with_levels_of_reference(std::move(survey), recoloured.counts());
}

}  // namespace starpath
