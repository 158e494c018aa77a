// Execution-time estimates of StarPU tasks, from whichever source the user chose.
#pragma once
#include <starpu.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "base/pure/random.hpp"
#include "estimator/knn.hpp"
#include "estimator/store/profile_use.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/task_record.hpp"
#include "sched_policies/estimates/speedup_cache.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"

namespace starpath {

/// Estimates for the tasks of all contexts. Thread-safe. Anything not known is nullopt.
class Estimates {
 public:
  /// Reads the profile, if the options name one. `report` gets a line when that cannot be used, and later one for each
  /// kind of input that leaves tasks unknown, however many tasks there are.
  Estimates(const Options& options, const Machine& machine, const ProfileUse::Report& report);

  /// Times of `task` on each class of the machine that it has an implementation for, and its speedups over the baseline
  /// class. Tasks like those that the calling thread asked about lately cost no lock, as long as nothing was learnt.
  /// `submission` differs for every one of a context, if it is not 0: who asked about the same one last is told the
  /// same.
  TaskEstimates of(starpu_task& task, unsigned context, std::uint32_t submission = 0);

  /// The implementation among the bits of `mask` (not 0) with the shortest estimated time on `worker`; the first of
  /// them when an estimate is missing for every one.
  unsigned best_implementation(starpu_task& task, unsigned worker, unsigned context, unsigned mask);

  /// Whether a class that nothing is known of is to be explored: its samples are all that can tell.
  bool explores() const { return learns_ && options_.estimator == EstimatorKind::automatic; }

  /// Above 0; grows with the first sample of a codelet on a class: what had no estimate may have one by then.
  std::uint64_t first_samples() const { return first_samples_.load(std::memory_order_acquire); }

  /// Whether `learn` does anything.
  bool learns() const { return learns_; }

  /// Whether tasks are to be learnt from under a policy that does or does not ask for estimates: for a profile always.
  bool learns_under(bool policy_asks) const { return learns_ && (policy_asks || profile_.has_value()); }

  /// Whether `learn` should hear of `task`, which `worker` is about to start. Of tasks that are over before it would
  /// pay to look at the clock, and of which enough is known, one in eight is learnt from, by chance.
  bool wants(const starpu_task& task, unsigned worker);

  /// Takes in a finished task. Samples wait in a buffer of the worker that ran the task, so that a task's end takes no
  /// lock. A full buffer is taken in as a whole, and so are the first few samples of a worker.
  void learn(starpu_task& task, unsigned worker, double seconds);

  /// Takes in whatever waits in the worker's buffer. For workers that find nothing else to do.
  void flush(unsigned worker);

  /// Adds what was learnt to the profile, if there is one. Once no task runs any more.
  void save();

 private:
  struct Pending {
    unsigned codelet;
    Sample sample;
  };
  struct alignas(64) WorkerBuffer {
    std::vector<Pending> samples;
    unsigned taken = 0;
    std::string name;  // of the codelet seen last, whose number is `codelet`
    std::optional<unsigned> codelet;
    unsigned in_a_row = 0;  // samples of that codelet since another one's
    const starpu_codelet* short_tasks = nullptr;
    unsigned skip = 0;  // so many of them are not wanted
    Lcg64 random{1};
  };

  /// A line that is said once in a run.
  class Once {
   public:
    template <class Line>
    void say(const ProfileUse::Report& report, Line line) {
      if (!said_.load(std::memory_order_relaxed) && !said_.exchange(true)) report(line());
    }

   private:
    std::atomic<bool> said_ = false;
  };

  void open_profile();
  bool has_model(const starpu_task& task);
  void report_gaps(const std::vector<ProfileGroup>& groups) const;
  std::optional<Features> features_of(starpu_task& task, unsigned implementation);
  unsigned introduce(starpu_task& task);
  std::optional<double> seconds(starpu_task& task, unsigned worker, unsigned context, unsigned implementation);
  std::optional<double> model_seconds(starpu_task& task, unsigned worker, unsigned context, unsigned implementation);
  TaskEstimates sampled_or_modelled(starpu_task& task, unsigned context);
  std::optional<double> knn_seconds(starpu_task& task, unsigned worker, unsigned implementation);
  std::optional<double> modelled(starpu_task& task, ClassId id, unsigned context);
  std::optional<double> knn_fastest(const SpeedupCache::Key& key, ClassId id) const;
  template <class Fastest>
  TaskEstimates collect(Fastest fastest_on) const;
  TaskEstimates knn_estimates(starpu_task& task);
  TaskEstimates look_up(starpu_task& task, unsigned context);
  void changed();

  const Options options_;
  const Machine& machine_;
  const ProfileUse::Report report_;
  const bool learns_;
  std::vector<WorkerId> representative_;       // of each class
  std::vector<starpu_worker_archtype> types_;  // of each class
  StarpuMutex mutex_;                          // guards knn_
  KnnEstimator knn_;
  SpeedupCache known_;                      // guarded as knn_ is
  std::atomic<std::uint64_t> version_ = 0;  // of all that knn_ knows; no other Estimates ever had it
  std::atomic<std::uint64_t> first_samples_ = 1;
  std::optional<ProfileUse> profile_;  // guarded as knn_ is
  std::vector<std::string> codelets_;  // their names, by number; guarded as knn_ is
  std::vector<WorkerBuffer> buffers_;  // one a worker, touched by the thread that drives it only
  Once no_model_, no_name_, no_parameters_;
};

}  // namespace starpath
