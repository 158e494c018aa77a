// Learners by name, from Starpath or from a library of somebody else.
#pragma once
#include <functional>
#include <string>

#include "estimator/knn.hpp"
#include "estimator/learner.hpp"

namespace starpath {

/// Gets one line: which library, what is wrong with it, and what to do. From any thread; may throw.
using LearnerTrouble = std::function<void(const std::string&)>;

/// Makes learners of that name (learner_names.hpp); the regression keeps as many samples as kNN of these settings. A
/// path is that of a library with the functions of starpath/estimator.h, which stays loaded. Each learner of a library
/// has kNN beside it, which answers where the library cannot tell. kNN takes the library's place after `trouble` has
/// heard that the library cannot be loaded, has another version or lacks a function, or, later, that one of its
/// functions has thrown an exception or returned what is no estimate. Throws Error{input} where the library throws
/// while it is loaded: the loader's lock stays locked then, so the program has to end.
MakeLearner named_learner(const std::string& name, KnnSettings knn, LearnerTrouble trouble);

}  // namespace starpath
