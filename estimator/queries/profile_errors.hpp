// How far the estimates of a profile can be trusted.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "estimator/learner.hpp"

namespace starpath {

/// Mean relative errors by 10-fold cross-validation of one codelet's samples, as shares; none: not known.
struct CodeletErrors {
  std::string codelet;
  std::size_t k = 0;                 ///< neighbours
  std::vector<std::string> classes;  ///< device classes with samples
  std::size_t samples = 0;
  double share = 0;                     ///< of the time of all samples of all codelets
  std::optional<double> speedup;        ///< of the speedup over the baseline's class
  std::optional<double> time;           ///< of the time, over all classes
  std::optional<double> baseline_time;  ///< of the time on the baseline's class
};

/// What is compared: a learner, under the name that it is shown by.
struct ComparedLearner {
  std::string name;
  MakeLearner make;
};

/// The errors of one learner for one codelet on one class, by the same cross-validation.
struct LearnerErrors {
  std::string codelet, device_class, learner;
  std::size_t samples = 0;        ///< of the codelet on the class
  double share = 0;               ///< of the time of all samples of all codelets
  std::optional<double> time;     ///< of the time on the class
  std::optional<double> stated;   ///< what the learner itself expected, where it could say (TimeEstimate::error)
  std::optional<double> speedup;  ///< of the speedup over the baseline's class
};

/// The errors of `codelet`, or of every codelet where it is empty, for each k from `first_k` to `last_k`. Of several
/// profiles none is divided: each is estimated from others. Throws Error{usage} for a codelet that no profile has, and
/// as open_profile.
std::vector<CodeletErrors> errors_of_profiles(const std::vector<std::string>& profiles, const std::string& codelet,
                                              std::size_t first_k, std::size_t last_k, const std::string& baseline);

/// The same for learners side by side, sorted by codelet, class and the order of `learners`.
std::vector<LearnerErrors> errors_of_learners(const std::vector<std::string>& profiles, const std::string& codelet,
                                              const std::vector<ComparedLearner>& learners,
                                              const std::string& baseline);

}  // namespace starpath
