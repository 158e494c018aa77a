// Values in main memory, as StarPU sees them.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace starpath {

/// A vector that stays where it is until starpu_data_unregister(), which brings results home. StarPU must be running.
template <class T>
starpu_data_handle_t values_handle(const std::vector<T>& values) {
  starpu_data_handle_t handle = nullptr;
  starpu_vector_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()),
                              static_cast<std::uint32_t>(values.size()), sizeof(T));
  return handle;
}

/// The same as a matrix of rows with `width` values each.
template <class T>
starpu_data_handle_t rows_handle(const std::vector<T>& values, int width) {
  starpu_data_handle_t handle = nullptr;
  const auto row = static_cast<std::uint32_t>(width);
  starpu_matrix_data_register(&handle, STARPU_MAIN_RAM, reinterpret_cast<std::uintptr_t>(values.data()), row, row,
                              static_cast<std::uint32_t>(values.size() / row), sizeof(T));
  return handle;
}

}  // namespace starpath
