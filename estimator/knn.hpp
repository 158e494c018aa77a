// The kNN estimator: execution times and speedups of a task from the nearest tasks that have finished.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/features.hpp"
#include "estimator/sample_set.hpp"

namespace starpath {

/// Samples per codelet and device class, and estimates from them. Unknown is nullopt, never 0, infinity or NaN.
/// Not thread-safe. Source: anthill-2010 section 4.
class KnnEstimator {
 public:
  struct Settings {
    std::size_t k = 2;            ///< neighbours averaged; at most 64
    std::size_t capacity = 1024;  ///< samples kept a codelet and class; some 300 bytes each
    std::uint64_t seed = 1;       ///< of the reservoirs
  };

  KnnEstimator() = default;
  explicit KnnEstimator(Settings settings) : settings_(settings) {}

  /// The number of the codelet of this name, given on first sight. Dense, from 0.
  unsigned codelet(std::string_view name);
  std::size_t codelets() const { return codelets_.size(); }

  /// The number of the codelet of this name, if it has one.
  std::optional<unsigned> find(std::string_view name) const;

  /// Takes in a finished task. Returns false, and takes nothing, when `seconds` is not finite and above 0.
  bool learn(unsigned codelet, const Sample& sample);

  /// Takes in many, which is faster than one by one. Returns how many were taken.
  std::size_t learn(unsigned codelet, std::span<const Sample> samples);

  /// Of the k samples of this codelet and class nearest to `features`; nullopt when there is none.
  std::optional<Neighbours> nearest(unsigned codelet, unsigned device_class, const Features& features) const;

  /// Their mean seconds.
  std::optional<double> seconds(unsigned codelet, unsigned device_class, const Features& features) const;

  /// Estimated time on `baseline` over estimated time on `device_class`; nullopt unless both are known.
  std::optional<double> speedup(unsigned codelet, unsigned baseline, unsigned device_class,
                                const Features& features) const;

  /// From 1; grows whenever samples of this codelet change: an estimate made at the same version is still right.
  std::uint64_t version(unsigned codelet) const { return codelets_[codelet].version; }

  /// Samples held of a codelet and class.
  std::size_t samples(unsigned codelet, unsigned device_class) const;

 private:
  struct Codelet {
    Scale scale{};
    std::vector<SampleSet> classes;
    std::uint64_t version = 1;
  };

  static bool is_sound(const Sample& sample);
  static bool widen(Scale& scale, const Features& features);
  void place(Codelet& known, const Sample& sample);

  Settings settings_;
  std::map<std::string, unsigned, std::less<>> numbers_;
  std::vector<Codelet> codelets_;
};

}  // namespace starpath
