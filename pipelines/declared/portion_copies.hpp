// Copies between data of a tile and data of its parts.
#pragma once
#include <starpu.h>

#include <cstddef>

#include "base/pure/rect.hpp"
#include "codelets/starpu/task_status.hpp"

namespace starpath {

/// cl_arg of a copy. Between matrices: of the pixels in `what`, where the first buffer shows `from` and the second
/// `to`, all in working pixels. Between vectors: of all elements, to those from `first_element` on.
struct PortionCopy {
  const TaskStatus* status;  // a tile that has failed is not copied
  Rect from, to, what;
  std::size_t element_bytes;
  bool of_vectors;
  std::size_t first_element;
};

/// A part of a matrix, for cores.
extern starpu_codelet declared_cut_codelet;
/// One part into the whole, for cores: the first that is copied, and each other one.
extern starpu_codelet declared_join_codelet, declared_join_more_codelet;

}  // namespace starpath
