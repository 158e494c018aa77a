// Starpath's kNN estimates as a StarPU performance model.
#include "starpath/perfmodel.h"

#include <cstdio>
#include <cstdlib>
#include <limits>

#include "estimator/store/profile_use.hpp"
#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/codelet_facts.hpp"
#include "sched_policies/starpu/device_classes.hpp"
#include "sched_policies/starpu/task_features.hpp"

namespace starpath {
namespace {

constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

void report(const std::string& line) { std::fprintf(stderr, "starpath: %s\n", line.c_str()); }

/// The profile's samples on this machine. Never changes once made, so any thread may ask.
class Times {
 public:
  static const Times& get() {
    static const Times times;
    return times;
  }

  double microseconds(starpu_task& task, const starpu_perfmodel_arch& arch, unsigned implementation) const {
    // Several devices at once run parallel tasks, of which nothing is known.
    if (arch.ndevices != 1 || arch.devices[0].ncores > 1) return kUnknown;
    const int worker = worker_of(arch.devices[0]);
    const auto codelet = knn_.find(codelet_name(*task.cl));
    if (worker < 0 || !codelet) return kUnknown;
    const auto features = task_features(task, implementation);
    if (!features) return kUnknown;
    const auto seconds = knn_.seconds(*codelet, machine_.class_of(static_cast<WorkerId>(worker)), *features);
    return seconds ? *seconds * 1e6 : kUnknown;
  }

 private:
  Times()
      : options_(read_options([](const char* name) -> const char* { return std::getenv(name); }, report)),
        machine_(read_machine(options_.classes, report)),
        knn_({.k = options_.knn_k}) {
    if (options_.profile_file.empty()) {
      report("starpath_perfmodel: STARPATH_PROFILE names no profile; going on without estimates");
      return;
    }
    teach(knn_, ProfileUse(options_.profile_file, false, report).load(), class_names(machine_));
  }

  static int worker_of(const starpu_perfmodel_device& device) {
    const int exact = starpu_worker_get_by_devid(device.type, device.devid);
    return exact >= 0 ? exact : starpu_worker_get_by_type(device.type, 0);
  }

  Options options_;
  Machine machine_;
  KnnEstimator knn_;
};

double cost(starpu_task* task, starpu_perfmodel_arch* arch, unsigned implementation) {
  return Times::get().microseconds(*task, *arch, implementation);
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
