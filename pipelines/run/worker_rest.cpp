// How many runs have work, and the one pause that they share.
#include "pipelines/run/worker_rest.hpp"

#include <starpu.h>

#include <mutex>

namespace starpath {
namespace {

std::mutex runs_mutex;
int runs_with_work = 0;
bool paused = false;

void one_more() {
  const std::lock_guard lock(runs_mutex);
  ++runs_with_work;
  if (paused) starpu_resume();
  paused = false;
}

}  // namespace

WorkerRest::WorkerRest() { one_more(); }

WorkerRest::~WorkerRest() {
  wake();
  const std::lock_guard lock(runs_mutex);
  --runs_with_work;
}

void WorkerRest::rest() {
  if (resting_) return;
  resting_ = true;
  const std::lock_guard lock(runs_mutex);
  if (--runs_with_work > 0) return;
  starpu_pause();
  paused = true;
}

void WorkerRest::wake() {
  if (!resting_) return;
  resting_ = false;
  one_more();
}

}  // namespace starpath
