// Buffers of a tile in main memory, as codelets take StarPU's data: for a task that calls other codelets' functions.
#pragma once
#include <starpu.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "pipelines/segmentation/stage_graph.hpp"

namespace starpath {

/// What a buffer is to StarPU.
struct BufferShape {
  enum class Kind : unsigned char { variable, vector, matrix };
  Kind kind;
  std::uint32_t width, height;  // elements; 1 where the kind has no such side
  std::size_t element;          // bytes

  std::size_t bytes() const { return std::size_t{width} * height * element; }
};

/// In place of the table of a family that is not measured.
inline constexpr BufferShape kNoTable{BufferShape::Kind::matrix, 1, 1, sizeof(double)};

/// For one thread.
class HostBuffers {
 public:
  /// Memory of its own, with any content.
  void make(Buffer buffer, const BufferShape& shape);
  /// A variable or vector of StarPU's in main memory, which is only read.
  void point_to(Buffer buffer, starpu_data_handle_t handle);
  /// `to` is what `from` was, which is no more.
  void hand_on(Buffer from, Buffer to) { at(to) = std::exchange(at(from), {}); }
  void let_go(Buffer buffer) { at(buffer) = {}; }

  bool has(Buffer buffer) const { return at(buffer).shown != nullptr; }
  void* data(Buffer buffer) const { return at(buffer).shown; }
  /// As StarPU gives it to a codelet's function; valid while the buffer is there.
  void* interface_of(Buffer buffer) { return &at(buffer).interface; }

 private:
  union Interface {
    starpu_matrix_interface matrix;
    starpu_vector_interface vector;
    starpu_variable_interface variable;
  };
  struct Held {
    std::unique_ptr<std::byte[]> own;
    void* shown = nullptr;
    Interface interface = {};
  };
  static void show(Held& held, void* data, const BufferShape& shape);
  Held& at(Buffer buffer) { return held_[static_cast<std::size_t>(buffer)]; }
  const Held& at(Buffer buffer) const { return held_[static_cast<std::size_t>(buffer)]; }

  std::array<Held, kBufferCount> held_;
};

}  // namespace starpath
