#include "pipelines/declared/portion_copies.hpp"

#include <cstdint>
#include <cstring>

#include "codelets/starpu/running_functions.hpp"

namespace starpath {
namespace {

void copy_vector(const PortionCopy& copy, void* from, void* to) {
  std::memcpy(reinterpret_cast<std::byte*>(STARPU_VECTOR_GET_PTR(to)) + copy.first_element * copy.element_bytes,
              reinterpret_cast<const std::byte*>(STARPU_VECTOR_GET_PTR(from)),
              STARPU_VECTOR_GET_NX(from) * copy.element_bytes);
}

/// A pixel of a matrix that shows this region.
std::byte* pixel(void* matrix, const Rect& region, std::int64_t x, std::int64_t y, std::size_t element_bytes) {
  const auto row = static_cast<std::size_t>(y - region.y) * STARPU_MATRIX_GET_LD(matrix);
  return reinterpret_cast<std::byte*>(STARPU_MATRIX_GET_PTR(matrix)) +
         (row + static_cast<std::size_t>(x - region.x)) * element_bytes;
}

void copy_matrix(const PortionCopy& copy, void* from, void* to) {
  if (copy.what.empty()) return;
  const auto bytes = static_cast<std::size_t>(copy.what.width) * copy.element_bytes;
  for (std::int64_t y = copy.what.y; y < copy.what.bottom(); ++y)
    std::memcpy(pixel(to, copy.to, copy.what.x, y, copy.element_bytes),
                pixel(from, copy.from, copy.what.x, y, copy.element_bytes), bytes);
}

void copy_portion(void* buffers[], void* cl_arg) {
  const codelets::RunningFunctions::Run running;
  const auto& copy = *static_cast<const PortionCopy*>(cl_arg);
  if (copy.status->failed()) return;
  (copy.of_vectors ? copy_vector : copy_matrix)(copy, buffers[0], buffers[1]);
}

starpu_codelet copy_codelet(const char* name, starpu_data_access_mode into) {
  starpu_codelet codelet;
  starpu_codelet_init(&codelet);
  codelet.name = name;
  codelet.cpu_funcs[0] = copy_portion;
  codelet.nbuffers = 2;
  codelet.modes[0] = STARPU_R;
  codelet.modes[1] = into;
  return codelet;
}

}  // namespace

starpu_codelet declared_cut_codelet = copy_codelet("declared_cut", STARPU_W);
starpu_codelet declared_join_codelet = copy_codelet("declared_join", STARPU_W);
starpu_codelet declared_join_more_codelet = copy_codelet("declared_join_more", STARPU_RW);

}  // namespace starpath
