// The estimator: execution times and speedups of tasks of any codelet, from a learner for each.
#pragma once
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "estimator/features.hpp"
#include "estimator/learner.hpp"

namespace starpath {

/// Codelets by name, and what is estimated of their tasks. Unknown is nullopt, never 0, infinity or NaN.
/// Thread safety: as Learner. Source: anthill-2010 section 4.
class Estimator {
 public:
  explicit Estimator(MakeLearner make) : make_(std::move(make)) {}

  /// The number of the codelet of this name, given on first sight. Dense, from 0.
  unsigned codelet(std::string_view name);
  std::size_t codelets() const { return codelets_.size(); }

  /// The number of the codelet of this name, if it has one.
  std::optional<unsigned> find(std::string_view name) const;

  /// Takes in a finished task. Returns false, and takes nothing, when `seconds` is not finite and above 0.
  bool learn(unsigned codelet, const Sample& sample);

  /// Takes in many, which is faster than one by one. Returns how many were taken.
  std::size_t learn(unsigned codelet, std::span<const Sample> samples);

  /// As the learner of the codelet says.
  std::optional<TimeEstimate> estimate(unsigned codelet, unsigned device_class, const Features& features) const;

  /// Its seconds.
  std::optional<double> seconds(unsigned codelet, unsigned device_class, const Features& features) const;

  /// Estimated time on `baseline` over estimated time on `device_class`; nullopt unless both are known.
  std::optional<double> speedup(unsigned codelet, unsigned baseline, unsigned device_class,
                                const Features& features) const;

  /// From 1; grows whenever estimates of this codelet may change: one made at the same version is still right.
  std::uint64_t version(unsigned codelet) const { return codelets_[codelet].version; }

  /// Samples of a codelet and class that were taken in.
  std::size_t samples(unsigned codelet, unsigned device_class) const;

 private:
  struct Codelet {
    std::unique_ptr<Learner> learner;
    std::vector<std::size_t> samples;  // by class
    std::uint64_t version = 1;
  };

  MakeLearner make_;
  std::map<std::string, unsigned, std::less<>> numbers_;
  std::vector<Codelet> codelets_;
};

}  // namespace starpath
