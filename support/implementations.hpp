// Kernels with several implementations for CPUs, for tests and benchmarks.
#pragma once
#include <gtest/gtest.h>

#include "codelets/kernels/opencv.hpp"

namespace starpath::support {

/// Calls check(kernel) for each implementation of a kernel that is compiled in. A failure names it.
template <auto cpu, auto opencv, class Check>
void for_each_implementation(Check check) {
  {
    SCOPED_TRACE("cpu");
    check(cpu);
  }
  if constexpr (kOpenCvCompiled) {
    SCOPED_TRACE("opencv");
    check(opencv);
  }
}

}  // namespace starpath::support
