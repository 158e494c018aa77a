// StarPU's description of a piece of data in main memory.
#pragma once
#include <starpu.h>

namespace starpath {

/// StarPU's description of the data's copy in main memory, where its values need not be up to date. StarPU's own
/// functions (starpu_matrix_get_local_ld, ...) speak of the memory of the worker that calls, and end the program where
/// that is a GPU's and has no copy. Any worker may call here: the one that ends a piece registers the next.
template <class Interface>
const Interface& in_main_memory(starpu_data_handle_t data) {
  return *static_cast<const Interface*>(starpu_data_get_interface_on_node(data, STARPU_MAIN_RAM));
}

}  // namespace starpath
