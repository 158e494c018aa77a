// Learners by name.
#include "estimator/learners/named_learner.hpp"

#include <memory>
#include <utility>

#include "estimator/learner_names.hpp"
#include "estimator/learners/learner_library.hpp"
#include "estimator/linear.hpp"

namespace starpath {

MakeLearner named_learner(const std::string& name, KnnSettings knn, LearnerTrouble trouble) {
  if (is_library_path(name)) {
    const auto library = std::make_shared<LearnerLibrary>(name, std::move(trouble));
    return [library, knn] { return std::make_unique<LibraryLearner>(library, knn); };
  }
  if (name == "linear") return [knn] { return std::make_unique<LinearLearner>(knn.capacity, knn.seed); };
  return knn_learner(knn);
}

}  // namespace starpath
