// Rates of loops that a profile remembers from earlier runs.
#pragma once
#include <string>
#include <vector>

#include "estimator/knn.hpp"
#include "estimator/store/profile_use.hpp"

namespace starpath {

/// The rates at which kinds of devices ran the blocks of loops, in the estimator's profile: where HDSS's adaptive phase
/// may start (LoopSetup::known_rate). A loop's samples stand under the codelet "loop NAME", with the
/// iterations of the block and of the loop as parameters. A profile that cannot be used is reported and does without,
/// as ProfileUse says. Not thread-safe. Source: anthill-2010 section 4.
class LoopRates {
 public:
  LoopRates(std::string profile, ProfileUse::Report report);

  /// Iterations of a block, and of the loop that it is part of: where an iteration looks at all others, as in N-body,
  /// its time depends on the latter.
  struct Sizes {
    double block = 0, loop = 0;
  };

  /// Iterations per microsecond of blocks of about that size; 0 when the profile knows none.
  double rate(const std::string& loop, const std::string& device_class, Sizes sizes) const;

  /// A rate at which blocks of that size were run. One that is not finite and above 0 is left out.
  void learn(const std::string& loop, const std::string& device_class, Sizes sizes, double rate);

  /// Adds the learnt rates to the profile.
  void save() { use_.save(); }

 private:
  ProfileUse use_;
  KnnEstimator knn_;
  std::vector<std::string> classes_;
};

}  // namespace starpath
