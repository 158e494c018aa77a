// A learner with the fault that the environment variable STARPATH_TEST_FAULT names; without one it says 0.125 s.
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <list>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>

#include "starpath/estimator.h"

namespace {

std::string fault() {
  const char* const named = std::getenv("STARPATH_TEST_FAULT");
  return named == nullptr ? "" : named;
}

void may_throw(const std::string& function) {
  if (fault() == "throws in " + function) throw std::runtime_error("no licence:\nbuy one");
  if (fault() == "throws a number in " + function) throw 7;
}

/// Notices calls that overlap. The count is not atomic, so that a sanitizer notices them too.
struct Learner {
  std::atomic<bool> busy = false;
  std::size_t calls = 0;
};

struct Call {
  explicit Call(void* to) : learner(*static_cast<Learner*>(to)) {
    if (learner.busy.exchange(true)) throw std::logic_error("two calls overlap");
    ++learner.calls;
    std::this_thread::yield();
  }
  ~Call() { learner.busy = false; }
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  Learner& learner;
};

// After a fault no function is called any more, destroy() neither: what is left then ends with the library.
std::mutex learners_mutex;
std::list<Learner> learners;

void* create() {
  may_throw("create");
  const std::lock_guard lock(learners_mutex);
  return fault() == "no learner" ? nullptr : &learners.emplace_back();
}

void destroy(void* learner) {
  may_throw("destroy");
  const std::lock_guard lock(learners_mutex);
  learners.remove_if([&](const Learner& each) { return &each == learner; });
}

void learn(void* learner, const starpath_input*, double) {
  const Call call(learner);
  may_throw("learn");
}

int estimate(void* learner, const starpath_input*, starpath_estimate* estimate) {
  const Call call(learner);
  may_throw("estimate");
  const std::string now = fault();
  estimate->seconds = 0.125;
  estimate->error = 0.5;
  if (now == "nan") estimate->seconds = std::nan("");
  if (now == "infinite") estimate->seconds = std::numeric_limits<double>::infinity();
  if (now == "negative") estimate->seconds = -1;
  if (now == "zero") estimate->seconds = 0;
  if (now == "negative error") estimate->error = -1;
  if (now == "nan error") estimate->error = std::nan("");
  if (now == "answers 7") return 7;
  return now == "cannot tell" ? 0 : 1;
}

starpath_estimator_functions functions() {
  may_throw("load");
  const std::string now = fault();
  return {.abi = STARPATH_ESTIMATOR_ABI + (now == "other version" ? 1U : 0U),
          .create = now == "lacks create" ? nullptr : create,
          .destroy = now == "lacks destroy" ? nullptr : destroy,
          .learn = now == "lacks learn" ? nullptr : learn,
          .estimate = now == "lacks estimate" ? nullptr : estimate};
}

}  // namespace

const starpath_estimator_functions starpath_estimator = functions();
