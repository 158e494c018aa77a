// The first argument of every kernel, and how kernels are declared.
#pragma once
#include "codelets/kernels/scratch.hpp"

namespace starpath {

/// The resources that a kernel may use besides its arguments.
struct KernelContext {
  Scratch& scratch;
  void* stream = nullptr;  // cudaStream_t on a GPU, unused elsewhere
};

/// Declares a kernel once for all backends: reference (the oracle), cpu and cuda. A backend that the build leaves out
/// has no definition, and nothing may name it there.
#define STARPATH_DECLARE_KERNEL(...) \
  namespace reference {              \
  __VA_ARGS__;                       \
  }                                  \
  namespace cpu {                    \
  __VA_ARGS__;                       \
  }                                  \
  namespace cuda {                   \
  __VA_ARGS__;                       \
  }

}  // namespace starpath
