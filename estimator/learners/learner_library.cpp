// A library that learns: loading it, and calling it without trusting it.
#include "estimator/learners/learner_library.hpp"

#include <dlfcn.h>
#include <fmt/format.h>

#include <cmath>
#include <exception>
#include <limits>
#include <utility>

#include "base/error.hpp"
#include "base/foreign_library.hpp"
#include "base/one_line.hpp"

namespace starpath {
namespace {

constexpr const char* kTable = "starpath_estimator";
constexpr const char* kNeeds = "its source needs starpath/estimator.h, and the definition in C or extern \"C\"";
constexpr const char* kCorrect = "correct the library, or name another";

starpath_input input_of(unsigned device_class, const Features& features) {
  return {.device_class = device_class,
          .numeric_count = features.numeric_count,
          .categorical_count = features.categorical_count,
          .numeric = features.numeric.data(),
          .categorical = features.categorical.data()};
}

/// What `call` throws, in words; "" when it throws nothing.
template <class Call>
std::string thrown_by(const Call& call) {
  try {
    call();
    return "";
  } catch (const std::exception& error) {
    return fmt::format("an exception ({})", error.what());
  } catch (...) {
    return "an exception that is no std::exception";
  }
}

}  // namespace

LearnerLibrary::LearnerLibrary(std::string path, LearnerTrouble trouble)
    : path_(std::move(path)), trouble_(std::move(trouble)) {
  functions_ = load();
}

/// nullptr after trouble.
const starpath_estimator_functions* LearnerLibrary::load() {
  try {
    if (!names_symbol(path_, kTable)) {
      fail("defines no starpath_estimator", kNeeds);
      return nullptr;
    }
  } catch (const Error&) {  // the loader says why
  }
  void* library = nullptr;
  const std::string thrown = thrown_by([&] { library = load_library(path_); });
  if (!thrown.empty())
    throw Error(ErrorKind::input,
                fmt::format("estimator {}: throws {} while it is loaded, after which no program can go on; {}", path_,
                            thrown, kCorrect));
  if (library == nullptr) {
    const char* const reason = dlerror();
    fail(fmt::format("cannot be loaded ({})", reason == nullptr ? "no reason given" : reason), "check the path");
    return nullptr;
  }
  const auto* const found = static_cast<const starpath_estimator_functions*>(dlsym(library, kTable));
  if (found == nullptr) {
    fail("defines no starpath_estimator", kNeeds);
    return nullptr;
  }
  if (found->abi != STARPATH_ESTIMATOR_ABI) {
    fail(fmt::format("was built with version {} of starpath/estimator.h, and this is version {}", found->abi,
                     STARPATH_ESTIMATOR_ABI),
         "build it anew");
    return nullptr;
  }
  const std::pair<const char*, bool> missing[] = {{"create", found->create == nullptr},
                                                  {"destroy", found->destroy == nullptr},
                                                  {"learn", found->learn == nullptr},
                                                  {"estimate", found->estimate == nullptr}};
  for (const auto& [function, is_missing] : missing) {
    if (!is_missing) continue;
    fail(fmt::format("lacks the function '{}' in its starpath_estimator", function), kCorrect);
    return nullptr;
  }
  return found;
}

void LearnerLibrary::fail(const std::string& what, const char* remedy) {
  trouble_(one_line(fmt::format("estimator {}: {}; {}", path_, what, remedy)));
}

/// Calls the library, or nothing when it does not work.
template <class Call>
void LearnerLibrary::guarded(const char* function, Call call) {
  const starpath_estimator_functions* const functions = functions_.load(std::memory_order_acquire);
  if (functions == nullptr) return;
  std::string wrong;
  const std::string thrown = thrown_by([&] { wrong = call(*functions); });
  if (!thrown.empty()) wrong = "threw " + thrown;
  if (wrong.empty() || functions_.exchange(nullptr) == nullptr)
    return;  // else somebody has told of the library already
  fail(fmt::format("its function '{}' {}", function, wrong), kCorrect);
}

void* LearnerLibrary::create() {
  void* learner = nullptr;
  guarded("create", [&](const starpath_estimator_functions& functions) {
    learner = functions.create();
    return learner == nullptr ? "returned NULL" : "";
  });
  return learner;
}

void LearnerLibrary::destroy(void* learner) {
  guarded("destroy", [&](const starpath_estimator_functions& functions) {
    functions.destroy(learner);
    return "";
  });
}

void LearnerLibrary::learn(void* learner, const Sample& sample) {
  guarded("learn", [&](const starpath_estimator_functions& functions) {
    const starpath_input input = input_of(sample.device_class, sample.features);
    functions.learn(learner, &input, sample.seconds);
    return "";
  });
}

std::optional<TimeEstimate> LearnerLibrary::estimate(void* learner, unsigned device_class, const Features& features) {
  std::optional<TimeEstimate> found;
  guarded("estimate", [&](const starpath_estimator_functions& functions) -> std::string {
    constexpr double kUnset = std::numeric_limits<double>::quiet_NaN();
    starpath_estimate said{.seconds = kUnset, .error = std::numeric_limits<double>::infinity()};
    const starpath_input input = input_of(device_class, features);
    const int answer = functions.estimate(learner, &input, &said);
    if (answer == 0) return "";
    if (answer != 1) return fmt::format("returned {}, which is neither 0 nor 1", answer);
    if (!std::isfinite(said.seconds) || said.seconds <= 0)
      return fmt::format("estimated {} seconds, which is no finite time above 0", said.seconds);
    if (!(said.error >= 0)) return fmt::format("stated an error of {}, which is no share from 0", said.error);
    found = TimeEstimate{.seconds = said.seconds, .error = said.error};
    return "";
  });
  return found;
}

LibraryLearner::LibraryLearner(std::shared_ptr<LearnerLibrary> library, KnnSettings knn)
    : knn_(knn), library_(std::move(library)), learner_(library_->create()) {}

LibraryLearner::~LibraryLearner() {
  if (learner_ == nullptr) return;
  try {
    library_->destroy(learner_);
  } catch (...) {  // thrown by who heard of trouble; nothing is estimated any more
  }
}

bool LibraryLearner::learn(std::span<const Sample> samples) {
  const bool changed = knn_.learn(samples);
  if (learner_ == nullptr || !library_->works()) return changed;
  const std::lock_guard lock(mutex_);
  for (const Sample& sample : samples) library_->learn(learner_, sample);
  return true;
}

std::optional<TimeEstimate> LibraryLearner::estimate(unsigned device_class, const Features& features) const {
  if (learner_ != nullptr) {
    const std::lock_guard lock(mutex_);
    if (const auto found = library_->estimate(learner_, device_class, features)) return found;
  }
  return knn_.estimate(device_class, features);
}

}  // namespace starpath
