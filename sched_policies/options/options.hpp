// The plug-in's options: read from the environment, checked, with a clear line for each bad value.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/core/policy.hpp"
#include "sched_policies/options/placement.hpp"

namespace starpath {

/// Where estimates come from. `knn`: samples of finished tasks alone (anthill-2010 section 4), from which kNN or
/// another learner (Options::learner) estimates. `knn_and_perfmodel` ("knn+perfmodel"; earlier builds called it
/// "auto"): also StarPU's calibrated models, which stand in for a class without a sample of the codelet and are
/// corrected by samples (by kNN alone). Under both, a class of which neither says anything is explored (Exploration).
enum class EstimatorKind { knn, knn_and_perfmodel, perfmodel, none };

/// Whether estimates come from samples of finished tasks, alone or first.
constexpr bool uses_samples(EstimatorKind kind) {
  return kind == EstimatorKind::knn || kind == EstimatorKind::knn_and_perfmodel;
}

/// The source where STARPATH_ESTIMATOR says nothing. Under a policy that asks for no estimates it tells no more than
/// that samples are kept for a profile.
constexpr EstimatorKind default_estimator(const PolicyInfo& policy) {
  return policy.asks_models ? EstimatorKind::knn_and_perfmodel : EstimatorKind::knn;
}

/// As STARPATH_ESTIMATOR takes it, where kNN is the learner.
std::string_view name_of(EstimatorKind kind);

/// Controlled errors of estimates: see inject_errors.
struct SpeedupError {
  double fraction = 0;  ///< 0 .. 1
  std::uint64_t seed = 0;
};

/// One entry of STARPATH_CLASSES.
struct ClassOverride {
  std::string name;
  std::optional<DeviceKind> kind;  ///< nullopt: as StarPU says of its workers
  std::vector<WorkerId> workers;
};

/// STARPATH_PREFETCH: how many tasks an accelerator reserves ahead.
struct Prefetch {
  bool adaptive = false;
  unsigned tasks = 0;  ///< when not adaptive; 0: none
  bool on() const { return adaptive || tasks != 0; }
};

/// Every option with its default.
struct Options {
  std::optional<EstimatorKind> estimator;  ///< nullopt: the default of each policy
  std::string learner = "knn";             ///< what estimates from samples: is_learner(learner)
  unsigned knn_k = 2;
  bool learn = true;
  SpeedupError speedup_error;
  std::vector<ClassOverride> classes;
  bool locality = false;
  std::optional<double> transfer_impact;  ///< 0 .. 1; nullopt: measured
  Prefetch prefetch;
  Placement placement = Placement::closest;  ///< not for the plug-in: StarPU binds before it loads one
  std::string profile_file;                  ///< empty: none
  bool machine_profile = true;               ///< none was named: the machine's own is used, where there is one
  std::string stats_file;                    ///< empty: none
  std::string trace_file;                    ///< empty: none
};

/// The source of a policy's estimates.
inline EstimatorKind estimator_of(const Options& options, const PolicyInfo& policy) {
  return options.estimator.value_or(default_estimator(policy));
}

/// Whether tasks are learnt from, as far as the options say: it is the same for all policies.
inline bool keeps_samples(const Options& options) { return !options.estimator || uses_samples(*options.estimator); }

/// The message for a value that is not allowed: `variable`, which is in the option table, `value`, and what is allowed.
std::string bad_value_line(std::string_view variable, std::string_view value);

/// Reads the options. `variable(name)` returns a variable's value or nullptr. For each value that is not allowed the
/// default is used, and `report(line)` gets one line. An empty variable counts as not set.
Options read_options(const std::function<const char*(const char*)>& variable,
                     const std::function<void(const std::string&)>& report);

}  // namespace starpath
