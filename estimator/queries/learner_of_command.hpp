// Learners that users of commands name.
#pragma once
#include <string>

#include "estimator/knn.hpp"
#include "estimator/learner.hpp"

namespace starpath {

/// As named_learner. Throws Error{usage} for a name that is none. What is wrong with a library is thrown as
/// Error{input}, also by the learners that this makes: no other learner's estimates stand under its name.
MakeLearner learner_of_command(const std::string& name, KnnSettings knn);

}  // namespace starpath
