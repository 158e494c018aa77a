// Buffers and tasks of a survey.
#include "pipelines/survey/survey_jobs.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "pipelines/run/fetch.hpp"
#include "pipelines/run/pixel_facts.hpp"

namespace starpath {
namespace {

StageTasks::OnEnd tell(TileJob& job, TileRun& run, bool probing) {
  return [&job, &run, probing](std::size_t stage, const TaskExecution& task) {
    run.post([&job, &run, probing, stage, task] {
      const bool reading = stage == static_cast<std::size_t>(SurveyStage::read);
      run.task_ended(job, probing ? kProbeStage.name : kSurveyGraph[stage].name, reading, task);
    });
  };
}

}  // namespace

starpu_codelet survey_probe_codelet = codelets::host_codelet<"survey_probe", &ProbeJob::read_patches, "read">();
starpu_codelet survey_read_codelet = codelets::host_codelet<"survey_read", &SurveyFieldJob::read, "read">();

ProbeJob::ProbeJob(std::int64_t number, const io::Slide& slide, const ProbePlan& plan,
                   std::span<const ProbePlan::Patch> patches, int tries, TileRun& run)
    : number_(number),
      slide_(slide),
      plan_(plan),
      patches_(patches),
      tries_(tries),
      tasks_("the survey's first look", 0, tell(*this, run, true)) {}

void ProbeJob::read_patches() {
  for (const ProbePlan::Patch& patch : patches_) {
    const auto side = static_cast<std::size_t>(patch.side);
    Probe probe{patch.field, std::vector<Rgb>(side * side)};
    for (int attempt = 1;; ++attempt) {
      try {
        slide_.read(plan_.level, patch.x, patch.y, {probe.pixels.data(), patch.side, patch.side, patch.side});
        break;
      } catch (const Error&) {
        if (attempt < tries_) continue;
        probe.pixels.clear();
        break;
      }
    }
    probes_.push_back(std::move(probe));
  }
}

SurveyFieldJob::SurveyFieldJob(const Tile& field, const io::WorkingSlide& slide, Rgb white,
                               starpu_data_handle_t colours, const SurveyOptions& options, TileRun& run)
    : field_(field),
      slide_(slide),
      tries_(options.attempts),
      tasks_(place_of("field", field.index, field.core), 0, tell(*this, run, false)) {
  const auto x = static_cast<int>(field.core.x - field.region.x), y = static_cast<int>(field.core.y - field.region.y);
  const auto width = static_cast<int>(field.core.width), height = static_cast<int>(field.core.height);
  const std::array<TaskArguments::Numbers, kSurveyGraph.size()> numbers = {
      {{},
       {},
       {options.opening_reach},
       {options.reconstruction_steps},
       {x, y, width, height, white.r, white.g, white.b}}};
  buffers_[SurveyBuffer::colours] = colours;
  for (std::size_t stage = 0; stage < numbers.size(); ++stage)
    kernel_arguments_[stage] = {&tasks_.status, numbers[stage], &tasks_.facts};
  tasks_.facts.set(Fact::pixels, static_cast<double>(field.region.width * field.region.height));
}

void SurveyFieldJob::read(View<Rgb> rgb) {
  std::vector<io::Gap> gaps;
  if (attempts < tries_)
    slide_.read(field_.region.x, field_.region.y, rgb);
  else
    gaps = slide_.read_around_gaps(field_.region.x, field_.region.y, rgb);
  const auto is_white = [&](int y) {
    return std::all_of(rgb.row(y), rgb.row(y) + rgb.width, [](Rgb p) { return p == Rgb{255, 255, 255}; });
  };
  bool nothing = !gaps.empty();
  for (int y = 0; nothing && y < rgb.height; ++y) nothing = is_white(y);
  if (nothing) throw Error(ErrorKind::input, gaps.front().why);
  count_pixel_facts(rgb, tasks_.facts);
}

void SurveyFieldJob::start(int) {
  for (const SurveyRow& stage : kSurveyGraph) {
    const bool normalises = stage.operation == SurveyStage::normalise;
    if (normalises && buffers_[SurveyBuffer::colours] == nullptr) continue;
    for (const SurveyBuffer buffer : stage.writes) register_buffer(buffer);
    void* argument = stage.operation == SurveyStage::read
                         ? static_cast<void*>(this)
                         : &kernel_arguments_[static_cast<std::size_t>(stage.operation)];
    tasks_.submit(stage, buffers_, argument);
    if (normalises) std::swap(buffers_[SurveyBuffer::rgb], buffers_[SurveyBuffer::recoloured]);
  }
}

bool SurveyFieldJob::advance() {
  fetch(buffers_[SurveyBuffer::counts], &counts_, sizeof counts_);
  return false;
}

void SurveyFieldJob::register_buffer(SurveyBuffer buffer) {
  starpu_data_handle_t& target = buffers_[buffer];
  if (buffer == SurveyBuffer::counts) {
    starpu_variable_data_register(&target, kOnDemand, 0, sizeof counts_);
    return;
  }
  const bool in_colour = buffer == SurveyBuffer::rgb || buffer == SurveyBuffer::recoloured;
  const auto width = static_cast<std::uint32_t>(field_.region.width);
  starpu_matrix_data_register(&target, kOnDemand, 0, width, width, static_cast<std::uint32_t>(field_.region.height),
                              in_colour ? sizeof(Rgb) : sizeof(std::uint8_t));
}

void SurveyFieldJob::release() {
  for (std::size_t i = 0; i < kSurveyBufferCount; ++i) {
    starpu_data_handle_t& handle = buffers_[static_cast<SurveyBuffer>(i)];
    if (handle == nullptr || static_cast<SurveyBuffer>(i) == SurveyBuffer::colours) continue;
    starpu_data_unregister_no_coherency(handle);
    handle = nullptr;
  }
}

}  // namespace starpath
