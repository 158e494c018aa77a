// Learners that users of commands name.
#include "estimator/queries/learner_of_command.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.hpp"
#include "estimator/learner_names.hpp"
#include "estimator/learners/named_learner.hpp"

namespace starpath {

MakeLearner learner_of_command(const std::string& name, KnnSettings knn) {
  if (!is_learner(name))
    throw Error(ErrorKind::usage, fmt::format("--learner {}: expected {} or the path of a library, with a slash like "
                                              "./{}",
                                              name, fmt::join(kLearners, ", "), name.empty() ? "mine.so" : name));
  return named_learner(name, knn, [](const std::string& line) { throw Error(ErrorKind::input, line); });
}

}  // namespace starpath
