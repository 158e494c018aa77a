// Which source says how long a task takes.
#include "sched_policies/estimates/estimates.hpp"

#include <bit>

#include "sched_policies/starpu/codelet_facts.hpp"

namespace starpath {
namespace {

/// What the calling thread was told about a submission last. Simulated threads may be one: this is another one's after
/// any wait.
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

Estimates::Estimates(const Options& options, const Machine& machine, const ProfileUse::Report& report)
    : options_(options),
      machine_(machine),
      report_(report),
      classes_(machine),
      samples_(options_, machine, classes_, report_),
      models_(classes_, report_) {}

TaskEstimates Estimates::of(starpu_task& task, unsigned context, std::uint64_t submission) {
  const std::uint64_t version = samples_.version();
  if (submission != 0 && last.submission == submission && last.version == version) return last.estimates;
  TaskEstimates found;
  look_up(task, context, found);
  if (submission != 0) last = {submission, version, found};
  return found;
}

void Estimates::look_up(starpu_task& task, unsigned context, TaskEstimates& found) {
  if (options_.estimator == EstimatorKind::none) return;
  if (uses_samples(options_.estimator)) {
    samples_.of(task, found);
    if (options_.estimator == EstimatorKind::automatic) complete(task, context, found);
  } else if (models_.has_model(task)) {
    collect(
        machine_, [&](ClassId id) { return models_.fastest(task, id, context); }, found);
  }
}

/// Adds what StarPU's model says.
void Estimates::complete(starpu_task& task, unsigned context, TaskEstimates& sampled) const {
  if (task.cl->model == nullptr) return;
  const TaskEstimates by_samples = sampled;
  bool asks = false;
  for (ClassId id = 0; id < machine_.classes().size() && !asks; ++id)
    asks =
        (!by_samples.seconds[id] || by_samples.over_model[id] != 0) && implementations(task, classes_.types[id]) != 0;
  if (!asks) return;
  const auto estimate = [&](ClassId id) {
    return combined(by_samples.seconds[id], by_samples.over_model[id],
                    [&] { return models_.fastest(task, id, context); });
  };
  collect(machine_, estimate, sampled);
}

std::optional<Lesson> Estimates::lesson(starpu_task& task, unsigned worker, unsigned context) {
  const auto features = samples_.lesson(task, worker);
  if (!features) return std::nullopt;
  Lesson lesson{.features = *features};
  if (options_.estimator == EstimatorKind::automatic) {
    const unsigned implementation = starpu_task_get_implementation(&task);
    lesson.modelled = ModelEstimates::seconds(task, worker, context, implementation).value_or(0);
  }
  return lesson;
}

std::optional<double> Estimates::seconds(starpu_task& task, unsigned worker, unsigned context,
                                         unsigned implementation) {
  if (options_.estimator == EstimatorKind::none) return std::nullopt;
  if (uses_samples(options_.estimator)) {
    const auto sampled = samples_.nearest(task, worker, implementation);
    const auto seconds = sampled ? std::optional(sampled->seconds) : std::nullopt;
    if (options_.estimator == EstimatorKind::knn) return seconds;
    return combined(seconds, sampled ? sampled->over_model : 0,
                    [&] { return ModelEstimates::seconds(task, worker, context, implementation); });
  }
  return models_.has_model(task) ? ModelEstimates::seconds(task, worker, context, implementation) : std::nullopt;
}

unsigned Estimates::best_implementation(starpu_task& task, unsigned worker, unsigned context, unsigned mask) {
  auto best = static_cast<unsigned>(std::countr_zero(mask));
  if (std::has_single_bit(mask)) return best;
  std::optional<double> shortest;
  for (; mask != 0; mask &= mask - 1) {
    const auto implementation = static_cast<unsigned>(std::countr_zero(mask));
    const auto time = seconds(task, worker, context, implementation);
    if (!time || (shortest && *time >= *shortest)) continue;
    shortest = time;
    best = implementation;
  }
  return best;
}

}  // namespace starpath
