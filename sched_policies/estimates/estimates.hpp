// Execution-time estimates of StarPU tasks, from whichever source the user chose.
#pragma once
#include <starpu.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/estimates/class_workers.hpp"
#include "sched_policies/estimates/model_estimates.hpp"
#include "sched_policies/estimates/sampled_estimates.hpp"
#include "sched_policies/estimates/task_estimates.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// What the estimates of all contexts of a run come from. Its parts are thread-safe.
struct EstimateSources {
  /// Reads the profile, if the options name one. `report` gets a line when that cannot be used, and later one for each
  /// kind of input that leaves tasks unknown, however many tasks there are.
  EstimateSources(const Options& options, const Machine& machine, const ProfileUse::Report& report);
  EstimateSources(const EstimateSources&) = delete;
  EstimateSources& operator=(const EstimateSources&) = delete;

  const Options options;
  const Machine& machine;
  const ProfileUse::Report report;
  const ClassWorkers classes;
  SampledEstimates samples;
  ModelEstimates models;
};

/// Estimates for the tasks of one context, from those sources that its policy or the user chose. Thread-safe. Anything
/// not known is nullopt. StarPU's performance models are asked only if `kind` says so.
class Estimates {
 public:
  Estimates(EstimateSources& sources, EstimatorKind kind)
      : kind_(kind),
        machine_(sources.machine),
        classes_(sources.classes),
        samples_(sources.samples),
        models_(sources.models) {}
  Estimates(const Estimates&) = delete;
  Estimates& operator=(const Estimates&) = delete;

  /// Times of `task` on each class of the machine that it has an implementation for, and its speedups over the baseline
  /// class. `submission` differs for every one of any context, if it is not 0: who asked about the same one last is
  /// told the same. Valid until the calling thread asks again, or waits.
  const TaskEstimates& of(starpu_task& task, std::uint64_t submission = 0) {
    if (!uses_samples(kind_)) return without_samples(task, submission);
    const TaskEstimates& by_samples = samples_.of(task);
    return asks_models(task, by_samples) ? with_models(task, by_samples, submission) : by_samples;
  }

  /// Guesses of the run times that are not in `seconds`, which `of` said of the task: from those and from what is known
  /// of other codelets.
  Guesses guess(const starpu_task& task, const ClassSeconds& seconds) { return samples_.guess(task, seconds); }

  /// The implementation among the bits of `mask` (not 0) with the shortest estimated time on `worker`; the first of
  /// them when an estimate is missing for every one. Where tasks are learnt from, one that no model estimates may be
  /// tried instead (Tries).
  unsigned best_implementation(starpu_task& task, unsigned worker, unsigned mask);

  EstimatorKind kind() const { return kind_; }

  /// Whether a class that nothing is known of is to be explored: its samples are all that can tell.
  bool explores() const { return learns() && uses_samples(kind_); }

  /// Above 0; grows with the first sample of a codelet on a class: what had no estimate may have one by then. Also when
  /// none is to be expected any more, and with an accelerator's first run of the codelet, which tells a guess.
  std::uint64_t first_samples() const { return samples_.first_samples(); }

  /// The names of the codelets that it grew with since it was `since` (above 0), one a step.
  std::vector<std::string> first_sampled(std::uint64_t since) { return samples_.first_sampled(since); }

  /// Whether `learn` does anything.
  bool learns() const { return samples_.learns(); }

  /// Whether tasks are to be learnt from under a policy that does or does not ask for estimates: always for a profile
  /// that the user named.
  bool learns_under(bool policy_asks) const { return learns() && (policy_asks || samples_.has_named_profile()); }

  /// Somebody asks for estimates: the machine's own profile is used from now on, unless the user named another one.
  void use_profile() { samples_.use_profile(); }

  /// What `learn` should hear of `task`, which `worker` is about to start; nullopt: nothing. Of tasks that are over
  /// before it would pay to look at the clock, and of which enough is known, one in eight is learnt from, by chance.
  /// Before the task runs: the application may free what its features are computed from before StarPU reports its end.
  std::optional<Lesson> lesson(starpu_task& task, unsigned worker);

  /// Takes in a finished task. The first of its codelet on an accelerator, which has to load the code, makes a guess.
  /// Samples wait in a buffer of the worker that ran the task, so that a task's end takes no lock. A full buffer is
  /// taken in as a whole, and so are the first few samples of a worker. Of a class without a sample, a few tasks whose
  /// time is not known say that none is to be expected.
  void learn(const starpu_task& task, const Lesson& lesson, unsigned worker, std::optional<double> seconds) {
    samples_.learn(task, lesson, worker, seconds);
  }

  /// Takes in whatever waits in the worker's buffer. For workers that find nothing else to do.
  void flush(unsigned worker) { samples_.flush(worker); }

 private:
  /// Whether StarPU's model may know of the task what samples do not say.
  bool asks_models(const starpu_task& task, const TaskEstimates& by_samples) const {
    return kind_ == EstimatorKind::knn_and_perfmodel && task.cl->model != nullptr && leaves_open(task, by_samples);
  }
  bool leaves_open(const starpu_task& task, const TaskEstimates& by_samples) const;
  const TaskEstimates& without_samples(starpu_task& task, std::uint64_t submission);
  const TaskEstimates& with_models(starpu_task& task, const TaskEstimates& by_samples, std::uint64_t submission);
  std::optional<double> seconds(starpu_task& task, unsigned worker, unsigned implementation);

  const EstimatorKind kind_;
  const Machine& machine_;
  const ClassWorkers& classes_;
  SampledEstimates& samples_;
  ModelEstimates& models_;
};

}  // namespace starpath
