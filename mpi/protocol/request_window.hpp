// How many buffers a worker has requested, and may request: a static number, or the number that DQAA finds. Pure.
#pragma once
#include <algorithm>

#include "sched_policies/core/dqaa.hpp"

namespace starpath::mpi {

/// Dqaa, or the same with a target that stands still.
class RequestWindow {
 public:
  static RequestWindow dynamic(unsigned most) { return {Dqaa(most), 0}; }
  static RequestWindow of_size(unsigned size) { return {Dqaa(size), std::max(size, 1U)}; }

  unsigned target() const { return fixed_ > 0 ? fixed_ : dqaa_.target(); }
  unsigned requested() const { return dqaa_.requested(); }
  unsigned due() const { return target() > requested() ? target() - requested() : 0; }
  void sent() { dqaa_.sent(); }
  void answered(double seconds) { dqaa_.answered(seconds); }
  void refused() { dqaa_.refused(); }
  void taken() { dqaa_.taken(); }
  void processed(double seconds) { dqaa_.processed(seconds); }

 private:
  RequestWindow(const Dqaa& dqaa, unsigned fixed) : dqaa_(dqaa), fixed_(fixed) {}
  Dqaa dqaa_;
  unsigned fixed_;  // 0: as DQAA says
};

}  // namespace starpath::mpi
