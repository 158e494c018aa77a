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
  if (machine_.classes().size() < 2 || options_.estimator == EstimatorKind::none) return;
  if (uses_samples(options_.estimator)) {
    samples_.of(task, found);
    if (options_.estimator == EstimatorKind::automatic) complete(task, context, found);
  } else if (models_.has_model(task)) {
    collect(
        machine_, [&](ClassId id) { return models_.fastest(task, id, context); }, found);
  }
}

/// A class without a sample has StarPU's time, if there is one.
void Estimates::complete(starpu_task& task, unsigned context, TaskEstimates& sampled) const {
  if (task.cl->model == nullptr) return;
  bool complete = true;
  for (ClassId id = 0; id < machine_.classes().size() && complete; ++id) {
    complete = sampled.seconds[id].has_value() || implementations(task, classes_.types[id]) == 0;
  }
  if (complete) return;
  const ClassSeconds seconds = sampled.seconds;
  collect(
      machine_, [&](ClassId id) { return seconds[id] ? seconds[id] : models_.fastest(task, id, context); }, sampled);
}

std::optional<double> Estimates::seconds(starpu_task& task, unsigned worker, unsigned context,
                                         unsigned implementation) {
  if (options_.estimator == EstimatorKind::none) return std::nullopt;
  if (uses_samples(options_.estimator)) {
    const auto sampled = samples_.seconds(task, worker, implementation);
    if (sampled || options_.estimator == EstimatorKind::knn) return sampled;
    return ModelEstimates::seconds(task, worker, context, implementation);
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
