// Execution-time estimates of StarPU tasks from samples of earlier ones, which are learnt as tasks end.
#pragma once
#include <starpu.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/pure/random.hpp"
#include "estimator/estimator.hpp"
#include "estimator/store/profile_use.hpp"
#include "sched_policies/core/class_ratios.hpp"
#include "sched_policies/core/device_class.hpp"
#include "sched_policies/estimates/class_workers.hpp"
#include "sched_policies/estimates/lesson.hpp"
#include "sched_policies/estimates/once.hpp"
#include "sched_policies/estimates/speedup_cache.hpp"
#include "sched_policies/estimates/tries.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/relaxed_lock.hpp"
#include "sched_policies/starpu/task_features.hpp"

namespace starpath {

/// The estimator of the learner that the options name, and the profile if the options name one. Thread-safe. Anything
/// not known is nullopt.
class SampledEstimates {
 public:
  /// As Estimates, which owns what is passed.
  SampledEstimates(const Options& options, const Machine& machine, const ClassWorkers& classes,
                   const ProfileUse::Report& report);

  /// Times of the implementation that is fastest on each class; valid as Estimates::of says. Tasks like those that the
  /// calling thread asked about lately cost no lock, as long as nothing was learnt.
  const TaskEstimates& of(starpu_task& task);
  /// Of one implementation on the class of `worker`.
  std::optional<TimeEstimate> estimate(starpu_task& task, unsigned worker, unsigned implementation);
  /// The implementation for `task` on `worker`: `fastest`, or another one of `mask`, to try it (Tries).
  unsigned choose(starpu_task& task, unsigned worker, unsigned mask, unsigned fastest);

  /// As Estimates says.
  Guesses guess(const starpu_task& task, const ClassSeconds& seconds);
  /// What other sources say of a task tells the ratios of classes too.
  void compare(const starpu_task& task, const ClassSeconds& seconds);

  bool learns() const { return learns_; }
  bool has_named_profile() const { return has_profile_ && !options_.machine_profile; }
  void use_profile();
  std::uint64_t first_samples() const { return first_samples_.load(std::memory_order_acquire); }
  std::vector<std::string> first_sampled(std::uint64_t since);
  /// Of all that is known. No other SampledEstimates ever had it.
  std::uint64_t version() const { return version_.load(std::memory_order_acquire); }

  // As Estimates says.
  std::optional<Features> lesson(starpu_task& task, unsigned worker);
  void learn(const starpu_task& task, const Lesson& lesson, unsigned worker, std::optional<double> seconds);
  void flush(unsigned worker);
  /// Adds what was learnt to the profile, if there is one. Once no task runs any more.
  void save();

 private:
  struct Pending {
    unsigned codelet;
    Sample sample;
    bool first;  // the accelerator's first run of the codelet, which is no sample
  };
  struct alignas(64) WorkerBuffer {
    std::vector<Pending> samples;
    unsigned taken = 0;
    std::string name;  // of the codelet seen last, whose number is `codelet`
    std::optional<unsigned> codelet;
    unsigned in_a_row = 0;  // samples of that codelet since another one's
    const starpu_codelet* short_tasks = nullptr;
    unsigned skip = 0;               // so many of them are not wanted
    std::vector<std::uint8_t> runs;  // by codelet, up to kFewRuns
    Lcg64 random{1};

    unsigned run(unsigned number);
  };

  /// What came of a codelet's tasks on classes that have no sample of it, or one that is not believed.
  struct Attempts {
    std::array<unsigned, kMaxDeviceClasses> in_vain{};  // run times that make no sense
    ClassSet never_known;                               // after so many that the codelet is unlike others
    ClassSet doubted;                                   // those that have one sample, which nobody believes
  };

  void report_gaps(const std::vector<ProfileStore::Summary>& known) const;
  const TaskEstimates& find(starpu_task& task, std::uint64_t now);
  bool fits(const RecentEstimates::Entry& entry, std::uint64_t now, const starpu_codelet& codelet) const;
  TaskInput input_of(starpu_task& task, unsigned implementation);
  unsigned introduce(const starpu_task& task) STARPATH_REQUIRES(mutex_);
  TaskEstimates look_up(SpeedupCache::Key key, const starpu_task& task);
  std::optional<TimeEstimate> fastest(const SpeedupCache::Key& key, ClassId id) const STARPATH_REQUIRES(mutex_);
  unsigned place_of(ClassId id, std::int64_t implementation) const;
  std::size_t samples(unsigned codelet, ClassId id) const STARPATH_REQUIRES(mutex_);
  Attempts& attempts_of(unsigned codelet) STARPATH_REQUIRES(mutex_);
  void doubt(unsigned codelet, ClassSeconds& seconds) STARPATH_REQUIRES(mutex_);
  void changed();
  void attempted(unsigned codelet, ClassId id, bool learnt) STARPATH_REQUIRES(mutex_);
  void tell_of(unsigned codelet) STARPATH_REQUIRES(mutex_);

  const Options& options_;
  const Machine& machine_;
  const ClassWorkers& classes_;
  const ProfileUse::Report& report_;
  const bool learns_;
  const bool has_profile_;
  std::atomic<std::uint64_t> version_ = 0;
  std::atomic<std::uint64_t> first_samples_ = 1;  // 1 more than `first_sampled_` has
  std::vector<WorkerBuffer> buffers_;             // one a worker, touched by the thread that drives it only
  mutable StarpuMutex mutex_;
  Estimator estimator_ STARPATH_GUARDED_BY(mutex_);
  Tries tries_ STARPATH_GUARDED_BY(mutex_);
  SpeedupCache known_ STARPATH_GUARDED_BY(mutex_);
  ClassRatios ratios_ STARPATH_GUARDED_BY(mutex_);
  std::vector<Attempts> attempts_ STARPATH_GUARDED_BY(mutex_);          // by codelet
  std::vector<std::string> first_sampled_ STARPATH_GUARDED_BY(mutex_);  // codelets, once for each class
  std::optional<ProfileUse> profile_ STARPATH_GUARDED_BY(mutex_);       // once it is used
  std::vector<std::string> codelets_ STARPATH_GUARDED_BY(mutex_);       // the names of those that were met, by number
  Once no_name_, no_parameters_;
};

}  // namespace starpath
