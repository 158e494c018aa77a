// StarPU's buffers as arguments of kernels.
#pragma once
#include <starpu.h>

#include <cstddef>
#include <span>
#include <type_traits>

#include "codelets/kernels/image.hpp"
#include "codelets/kernels/nbia_classify.hpp"

namespace starpath::codelets {

/// A matrix buffer (nx = width, ny = height, ld = stride, element T) as a view.
template <class T>
View<T> image(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_MATRIX_GET_PTR(buffer)), static_cast<int>(STARPU_MATRIX_GET_NX(buffer)),
          static_cast<int>(STARPU_MATRIX_GET_NY(buffer)), static_cast<std::ptrdiff_t>(STARPU_MATRIX_GET_LD(buffer))};
}

/// A vector buffer as a span.
template <class T>
std::span<T> array(void* buffer) {
  return {reinterpret_cast<T*>(STARPU_VECTOR_GET_PTR(buffer)), STARPU_VECTOR_GET_NX(buffer)};
}

template <class T>
T* variable(void* buffer) {
  return reinterpret_cast<T*>(STARPU_VARIABLE_GET_PTR(buffer));
}

/// The source of arguments: a task's buffers and numbers, in order. Arguments take theirs from the front.
struct ArgumentSource {
  void** buffers;
  const int* numbers;
};

/// How a kernel's parameter comes out of a task: the number and mode of its buffers, and the argument itself. A buffer
/// of constants is read (STARPU_R), any other is overwritten (STARPU_W).
template <class Parameter>
struct Argument;

template <class T, std::size_t count = 1>
struct BufferArgument {
  static constexpr std::size_t kBuffers = count;
  static constexpr starpu_data_access_mode kMode = std::is_const_v<T> ? STARPU_R : STARPU_W;
};

template <class T>
struct Argument<View<T>> : BufferArgument<T> {
  static View<T> take(ArgumentSource& from) { return image<T>(*from.buffers++); }
};

template <class T>
struct Argument<std::span<T>> : BufferArgument<T> {
  static std::span<T> take(ArgumentSource& from) { return array<T>(*from.buffers++); }
};

template <class T>
struct Argument<T*> : BufferArgument<T> {
  static T* take(ArgumentSource& from) { return variable<T>(*from.buffers++); }
};

template <class T>
struct Argument<const T&> : BufferArgument<const T> {
  static const T& take(ArgumentSource& from) { return *variable<const T>(*from.buffers++); }
};

/// A model's level: mean, deviation, z and labels.
template <>
struct Argument<const NbiaSamples&> : BufferArgument<const NbiaSamples, 4> {
  static NbiaSamples take(ArgumentSource& from) {
    void** const level = from.buffers;
    from.buffers += kBuffers;
    const auto labels = array<const NbiaLabel>(level[3]);
    return {array<const double>(level[0]).data(), array<const double>(level[1]).data(),
            array<const std::int16_t>(level[2]).data(), labels.data(), static_cast<int>(labels.size())};
  }
};

/// No buffer: one of the task's numbers.
template <>
struct Argument<int> : BufferArgument<const int, 0> {
  static int take(ArgumentSource& from) { return *from.numbers++; }
};

}  // namespace starpath::codelets
