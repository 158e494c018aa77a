// StarPU's interfaces, filled in by hand.
#include "pipelines/segmentation/host_buffers.hpp"

namespace starpath {

void HostBuffers::make(Buffer buffer, const BufferShape& shape) {
  Held& held = at(buffer);
  held.own = std::make_unique_for_overwrite<std::byte[]>(shape.bytes());
  held.shown = held.own.get();
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

void HostBuffers::point_to(Buffer buffer, const void* value) {
  Held& held = at(buffer);
  held.own.reset();
  held.shown = const_cast<void*>(value);
  held.interface = {};
  held.interface.variable.id = STARPU_VARIABLE_INTERFACE_ID;
  held.interface.variable.ptr = held.interface.variable.dev_handle = reinterpret_cast<std::uintptr_t>(value);
}

}  // namespace starpath
