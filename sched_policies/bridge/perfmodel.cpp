// Starpath's estimates as a StarPU performance model.
#include "starpath/perfmodel.h"

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <memory>
#include <mutex>
#include <vector>

#include "base/one_line.hpp"
#include "estimator/estimator.hpp"
#include "estimator/learners/named_learner.hpp"
#include "estimator/store/profile_use.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"
#include "sched_policies/starpu/device_classes.hpp"
#include "sched_policies/starpu/profile_in_use.hpp"
#include "sched_policies/starpu/task_features.hpp"

namespace starpath {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void report(const std::string& line) { std::fprintf(stderr, "starpath: %s\n", one_line(line).c_str()); }

/// What tells the workers of one starpu_init from those of another.
struct WorkerKind {
  explicit WorkerKind(int worker) : type(starpu_worker_get_type(worker)), device(starpu_worker_get_devid(worker)) {}
  bool operator==(const WorkerKind&) const = default;

  starpu_worker_archtype type;
  int device;
};

/// The profile's samples on the workers that there were when it was made. It learns no more, so any thread may ask.
class Times {
 public:
  Times()
      : options_(read_options([](const char* name) -> const char* { return std::getenv(name); }, report)),
        machine_(read_machine(options_.classes, report)),
        estimator_(named_learner(options_.learner, {.k = options_.knn_k}, [](const std::string& line) {
          report("starpath_perfmodel: " + line + "; kNN estimates in its place");
        })) {
    for (unsigned worker = 0; worker < machine_.workers(); ++worker) workers_.emplace_back(static_cast<int>(worker));
    const std::string profile = profile_in_use(options_);
    if (profile.empty()) {
      report("starpath_perfmodel: STARPATH_PROFILE names no profile; going on without estimates");
      return;
    }
    teach(estimator_, ProfileUse(profile, false, report, options_.machine_profile).load(), class_names(machine_));
  }

  /// Whether StarPU has these workers now.
  bool fits() const {
    bool same = starpu_worker_get_count() == workers_.size();
    for (unsigned worker = 0; worker < workers_.size() && same; ++worker) {
      same = WorkerKind(static_cast<int>(worker)) == workers_[worker];
    }
    return same;
  }

  double microseconds(starpu_task& task, const starpu_perfmodel_arch& arch, unsigned implementation) const {
    // Parallel tasks run on several devices at once. Models say nothing about them.
    if (arch.ndevices != 1 || arch.devices[0].ncores > 1) return kUnknown;
    const int worker = worker_of(arch.devices[0]);
    const auto codelet = estimator_.find(codelet_name(*task.cl));
    if (worker < 0 || !codelet) return kUnknown;
    const auto features = task_features(task, implementation).features;
    if (!features) return kUnknown;
    const auto seconds = estimator_.seconds(*codelet, machine_.class_of(static_cast<WorkerId>(worker)), *features);
    return seconds ? *seconds * 1e6 : kUnknown;
  }

 private:
  static int worker_of(const starpu_perfmodel_device& device) {
    const int exact = starpu_worker_get_by_devid(device.type, device.devid);
    return exact >= 0 ? exact : starpu_worker_get_by_type(device.type, 0);
  }

  Options options_;
  Machine machine_;
  Estimator estimator_;
  std::vector<WorkerKind> workers_;
};

/// The times on the workers of this starpu_init. Those of earlier ones stay, so that nobody asks what is gone.
class TimesByInit {
 public:
  const Times& now() {
    if (const Times* const latest = latest_.load(std::memory_order_acquire); latest != nullptr && latest->fits()) {
      return *latest;
    }
    const std::lock_guard lock(mutex_);
    const Times* latest = latest_.load(std::memory_order_relaxed);
    if (latest == nullptr || !latest->fits()) {  // else another thread was faster
      latest = made_.emplace_back(std::make_unique<const Times>()).get();
      latest_.store(latest, std::memory_order_release);
    }
    return *latest;
  }

 private:
  std::atomic<const Times*> latest_ = nullptr;
  std::mutex mutex_;  // guards the making of, which waits for no other thread
  std::vector<std::unique_ptr<const Times>> made_;
};

double cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned implementation) {
  static TimesByInit times;
  return times.now().microseconds(*task, *arch, implementation);
}

}  // namespace
}  // namespace starpath

extern "C" __attribute__((visibility("default"))) starpu_perfmodel starpath_perfmodel(const char* symbol) {
  starpu_perfmodel model{};
  model.type = STARPU_PER_ARCH;
  model.arch_cost_function = starpath::cost;
  model.symbol = symbol;
  return model;
}
