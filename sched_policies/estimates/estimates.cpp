// Which source says how long a task takes.
#include "sched_policies/estimates/estimates.hpp"

#include <bit>

#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {
namespace {

/// What the calling thread was told last that took asking StarPU's models. Simulated threads may be one: this is
/// another one's after any wait.
struct Last {
  std::uint64_t submission = 0;
  std::uint64_t version = 0;
  TaskEstimates estimates;
};
thread_local Last last;

/// StarPU's model, if it knows the task: by itself without a sample, else times what the nearest samples took over what
/// it said of them. So a task of a size that no sample has is not taken for the nearest one, and a model that is wrong,
/// or knows less than the samples do, is put right by them. `modelled` gives what the model says.
template <class Modelled>
std::optional<double> combined(std::optional<double> sampled, double over_model, Modelled modelled) {
  if (sampled && over_model == 0) return sampled;  // the samples are older than the model, or it said nothing of them
  const std::optional<double> by_model = modelled();
  if (!sampled) return by_model;
  const auto corrected = by_model ? known(*by_model * over_model) : std::nullopt;
  return corrected ? corrected : sampled;
}

}  // namespace

EstimateSources::EstimateSources(const Options& given, const Machine& of, const ProfileUse::Report& lines)
    : options(given),
      machine(of),
      report(lines),
      classes(machine),
      samples(options, machine, classes, report),
      models(classes, report) {}

const TaskEstimates& Estimates::without_samples(starpu_task& task, std::uint64_t submission) {
  static const TaskEstimates nothing;
  if (kind_ == EstimatorKind::none || !models_.has_model(task)) return nothing;
  return with_models(task, nothing, submission);
}

const TaskEstimates& Estimates::with_models(starpu_task& task, const TaskEstimates& by_samples,
                                            std::uint64_t submission) {
  const bool sampled = uses_samples(kind_);
  const std::uint64_t version = samples_.version();
  if (submission != 0 && last.submission == submission && last.version == version) return last.estimates;
  const TaskEstimates before = by_samples;  // a copy: models may make a simulated thread wait
  TaskEstimates found{.never_known = before.never_known};
  collect(
      machine_,
      [&](ClassId id) {
        const auto by_model = [&] { return models_.fastest(task, id); };
        return sampled ? combined(before.seconds[id], before.over_model[id], by_model) : by_model();
      },
      found);
  if (sampled && learns() && last.version != version) samples_.compare(task, found.seconds);
  last = {submission, version, found};
  return last.estimates;
}

/// Whether the samples tell no time of the task on a class that it may run on, or one that a model adds to.
bool Estimates::leaves_open(const starpu_task& task, const TaskEstimates& by_samples) const {
  for (ClassId id = 0; id < machine_.classes().size(); ++id) {
    const bool open = !by_samples.seconds[id] || by_samples.over_model[id] != 0;
    if (open && implementations(task, classes_.types[id]) != 0) return true;
  }
  return false;
}

std::optional<Lesson> Estimates::lesson(starpu_task& task, unsigned worker) {
  const auto features = samples_.lesson(task, worker);
  if (!features) return std::nullopt;
  Lesson lesson{.features = *features};
  if (kind_ == EstimatorKind::knn_and_perfmodel) {
    const unsigned implementation = starpu_task_get_implementation(&task);
    lesson.modelled = ModelEstimates::seconds(task, worker, implementation).value_or(0);
  }
  return lesson;
}

std::optional<double> Estimates::seconds(starpu_task& task, unsigned worker, unsigned implementation) {
  if (kind_ == EstimatorKind::none) return std::nullopt;
  if (uses_samples(kind_)) {
    const auto sampled = samples_.estimate(task, worker, implementation);
    const auto seconds = sampled ? std::optional(sampled->seconds) : std::nullopt;
    if (kind_ == EstimatorKind::knn) return seconds;
    return combined(seconds, sampled ? sampled->over_model : 0,
                    [&] { return ModelEstimates::seconds(task, worker, implementation); });
  }
  return models_.has_model(task) ? ModelEstimates::seconds(task, worker, implementation) : std::nullopt;
}

unsigned Estimates::best_implementation(starpu_task& task, unsigned worker, unsigned mask) {
  auto best = static_cast<unsigned>(std::countr_zero(mask));
  if (std::has_single_bit(mask)) return best;
  std::optional<double> shortest;
  unsigned to_try = mask;
  for (unsigned left = mask; left != 0; left &= left - 1) {
    const auto implementation = static_cast<unsigned>(std::countr_zero(left));
    if (kind_ == EstimatorKind::knn_and_perfmodel && ModelEstimates::seconds(task, worker, implementation))
      to_try &= ~(1U << implementation);
    const auto time = seconds(task, worker, implementation);
    if (!time || (shortest && *time >= *shortest)) continue;
    shortest = time;
    best = implementation;
  }
  // Without any time nothing is learnt of such tasks, or not yet.
  return explores() && shortest ? samples_.choose(task, worker, to_try, best) : best;
}

}  // namespace starpath
