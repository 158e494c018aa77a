// The stains of a run as StarPU sees them: every device that measures features keeps a copy.
#pragma once
#include <starpu.h>

#include "codelets/kernels/stain_vectors.hpp"

namespace starpath {

/// Registers the amounts that features are measured with, shared by all tiles of a run. StarPU must be running until it
/// ends, and no task may use it then.
class StainData {
 public:
  explicit StainData(const StainVectors& stains) : amounts_(stain_amounts(stains)) {
    starpu_variable_data_register(&handle_, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(&amounts_),
                                  sizeof amounts_);
  }
  ~StainData() { starpu_data_unregister(handle_); }
  StainData(const StainData&) = delete;
  StainData& operator=(const StainData&) = delete;

  starpu_data_handle_t handle() const { return handle_; }

 private:
  const StainAmountTable amounts_;
  starpu_data_handle_t handle_ = nullptr;
};

}  // namespace starpath
