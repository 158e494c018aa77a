// StarPU's interfaces, filled in by hand.
#include "pipelines/segmentation/host_buffers.hpp"

namespace starpath {

void HostBuffers::make(Buffer buffer, const BufferShape& shape) {
  Held& held = at(buffer);
  held.own = std::make_unique_for_overwrite<std::byte[]>(shape.bytes());
  show(held, held.own.get(), shape);
}

void HostBuffers::point_to(Buffer buffer, starpu_data_handle_t handle) {
  using enum BufferShape::Kind;
  const bool is_vector = starpu_data_get_interface_id(handle) == STARPU_VECTOR_INTERFACE_ID;
  const BufferShape shape =
      is_vector ? BufferShape{vector, starpu_vector_get_nx(handle), 1, starpu_vector_get_elemsize(handle)}
                : BufferShape{variable, 1, 1, starpu_variable_get_elemsize(handle)};
  Held& held = at(buffer);
  held.own.reset();
  show(held, starpu_data_get_local_ptr(handle), shape);
}

void HostBuffers::show(Held& held, void* data, const BufferShape& shape) {
  held.shown = data;
  const auto pointer = reinterpret_cast<std::uintptr_t>(held.shown);
  held.interface = {};
  switch (shape.kind) {
    case BufferShape::Kind::variable:
      held.interface.variable.id = STARPU_VARIABLE_INTERFACE_ID;
      held.interface.variable.ptr = held.interface.variable.dev_handle = pointer;
      held.interface.variable.elemsize = shape.element;
      return;
    case BufferShape::Kind::vector:
      held.interface.vector.id = STARPU_VECTOR_INTERFACE_ID;
      held.interface.vector.ptr = held.interface.vector.dev_handle = pointer;
      held.interface.vector.nx = shape.width;
      held.interface.vector.elemsize = shape.element;
      return;
    case BufferShape::Kind::matrix:
      held.interface.matrix.id = STARPU_MATRIX_INTERFACE_ID;
      held.interface.matrix.ptr = held.interface.matrix.dev_handle = pointer;
      held.interface.matrix.nx = held.interface.matrix.ld = shape.width;
      held.interface.matrix.ny = shape.height;
      held.interface.matrix.elemsize = shape.element;
      return;
  }
}

}  // namespace starpath
