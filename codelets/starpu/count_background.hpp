// Arguments of the codelet count_background.
#pragma once
#include "codelets/starpu/task_status.hpp"

namespace starpath::codelets {

struct CountBackgroundArgs {
  TaskStatus* status;
  int origin_x, origin_y;  // of the image on the slide, see kernels/background.hpp
};

}  // namespace starpath::codelets
