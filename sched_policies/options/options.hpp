// The plug-in's options: read from the environment, checked, with a clear line for each bad value.
#pragma once
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/options/placement.hpp"

namespace starpath {

/// `automatic` ("auto"): knn. For a class without a sample of the codelet StarPU's calibrated model; if there is none,
/// the class is explored (Exploration).
enum class EstimatorKind { knn, automatic, perfmodel, none };

/// Whether estimates come from samples of finished tasks, alone or first.
constexpr bool uses_samples(EstimatorKind kind) {
  return kind == EstimatorKind::knn || kind == EstimatorKind::automatic;
}

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
  EstimatorKind estimator = EstimatorKind::automatic;
  unsigned knn_k = 2;
  bool learn = true;
  SpeedupError speedup_error;
  std::vector<ClassOverride> classes;
  bool locality = false;
  std::optional<double> transfer_impact;  ///< 0 .. 1; nullopt: measured
  Prefetch prefetch;
  Placement placement = Placement::closest;  ///< not for the plug-in: StarPU binds before it loads one
  std::string profile_file;                  ///< empty: none
  std::string stats_file;                    ///< empty: none
  std::string trace_file;                    ///< empty: none
};

/// The message for a value that is not allowed: `variable`, which is in the option table, `value`, and what is allowed.
std::string bad_value_line(std::string_view variable, std::string_view value);

/// Reads the options. `variable(name)` returns a variable's value or nullptr. For each value that is not allowed the
/// default is used, and `report(line)` gets one line. An empty variable counts as not set.
Options read_options(const std::function<const char*(const char*)>& variable,
                     const std::function<void(const std::string&)>& report);

}  // namespace starpath
