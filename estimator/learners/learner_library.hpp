// A library of somebody else that learns, behind the C interface starpath/estimator.h.
#pragma once
#include <atomic>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>

#include "estimator/knn.hpp"
#include "estimator/learners/named_learner.hpp"
#include "starpath/estimator.h"

namespace starpath {

/// A loaded library, until something goes wrong with it: then its functions are called no more. Thread-safe, as far as
/// the library is.
class LearnerLibrary {
 public:
  /// `path` holds a slash. Throws as named_learner.
  LearnerLibrary(std::string path, LearnerTrouble trouble);

  bool works() const { return functions_.load(std::memory_order_acquire) != nullptr; }

  /// nullptr when there is none, or the library does not work.
  void* create();
  void destroy(void* learner);
  void learn(void* learner, const Sample& sample);
  /// nullopt where the library cannot tell, or does not work.
  std::optional<TimeEstimate> estimate(void* learner, unsigned device_class, const Features& features);

 private:
  const starpath_estimator_functions* load();
  template <class Call>
  void guarded(const char* function, Call call);
  void fail(const std::string& what, const char* remedy);

  const std::string path_;
  const LearnerTrouble trouble_;
  std::atomic<const starpath_estimator_functions*> functions_ = nullptr;
};

/// One learner of a library, and kNN beside it.
class LibraryLearner : public Learner {
 public:
  LibraryLearner(std::shared_ptr<LearnerLibrary> library, KnnSettings knn);
  ~LibraryLearner() override;
  LibraryLearner(const LibraryLearner&) = delete;
  LibraryLearner& operator=(const LibraryLearner&) = delete;

  bool learn(std::span<const Sample> samples) override;
  std::optional<TimeEstimate> estimate(unsigned device_class, const Features& features) const override;

 private:
  KnnLearner knn_;
  std::shared_ptr<LearnerLibrary> library_;
  mutable std::mutex mutex_;  // guards what `learner_` points to: the library need not; nothing is waited for under it
  void* learner_;
};

}  // namespace starpath
