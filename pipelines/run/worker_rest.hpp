// Rest for StarPU's workers while no run has work for them.
#pragma once

namespace starpath {

/// Pauses StarPU's workers while every run of this process has said that it has nothing for them. Idle workers of
/// StarPU poll, each on a core that another thread could use, for example the thread that writes results. A run holds
/// one of these as long as it submits tasks. Not thread-safe; those of several threads know of each other. StarPU must
/// be running.
class WorkerRest {
 public:
  WorkerRest();
  /// Workers are left awake: nobody could submit to them, or stop them, otherwise.
  ~WorkerRest();
  WorkerRest(const WorkerRest&) = delete;
  WorkerRest& operator=(const WorkerRest&) = delete;

  /// From here to wake() this run has no task in StarPU and submits none.
  void rest();
  void wake();

 private:
  bool resting_ = false;
};

}  // namespace starpath
