// A pipeline of four stages that tests declare.
#pragma once
#include <algorithm>
#include <cstdint>
#include <list>
#include <stdexcept>

#include "starpath/workflow.hpp"

namespace starpath::test {

using declare::kPixels;

inline void brightest(void* buffers[], void*) {
  std::uint8_t most = 0;
  for (std::uint32_t y = 0; y < STARPU_MATRIX_GET_NY(buffers[0]); ++y) {
    const auto* row = reinterpret_cast<const std::uint8_t*>(STARPU_MATRIX_GET_PTR(buffers[0])) +
                      3 * y * STARPU_MATRIX_GET_LD(buffers[0]);
    most = std::max(most, *std::max_element(row, row + 3 * STARPU_MATRIX_GET_NX(buffers[0])));
  }
  *reinterpret_cast<std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[1])) = most;
}

inline void twice(void* buffers[], void*) {
  *reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[1])) =
      2.0 * *reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[0]));
}

inline void place(void* buffers[], void* argument) {
  const auto& tile = *static_cast<const declare::Tile*>(argument);
  if (tile.index == 1) throw std::runtime_error("no tile\nlike this");
  double* const numbers = reinterpret_cast<double*>(STARPU_VECTOR_GET_PTR(buffers[2]));
  numbers[0] = *reinterpret_cast<const double*>(STARPU_VECTOR_GET_PTR(buffers[0])) +
               *reinterpret_cast<const std::uint8_t*>(STARPU_VECTOR_GET_PTR(buffers[1]));
  numbers[1] = static_cast<double>(tile.x);
}

inline starpu_codelet* codelet(const char* name, starpu_cpu_func_t function, int reads, int writes) {
  static std::list<starpu_codelet> all;  // StarPU keeps them
  starpu_codelet* const made = &all.emplace_back();
  made->name = name;
  made->cpu_funcs[0] = function;
  made->nbuffers = reads + writes;
  for (int i = 0; i < made->nbuffers; ++i) made->modes[i] = i < reads ? STARPU_R : STARPU_W;
  return made;
}

/// Two stages that need nothing of each other between the first and the last.
inline declare::Pipeline good() {
  static starpu_codelet *const look = codelet("look", brightest, 1, 1), *const doubled = codelet("twice", twice, 1, 1),
                               *const also = codelet("also", brightest, 1, 1),
                               *const last = codelet("place", place, 2, 1);
  return {"good",
          "1",
          {64, 8, 0.5},
          {{"most", 1, 1}, {"double", sizeof(double), 1}, {"again", 1, 1}, {"row", sizeof(double), 2}},
          {{"look", {{look, {kPixels, "most"}}}},
           {"twice", {{doubled, {"most", "double"}}}},
           {"also", {{also, {kPixels, "again"}}}},
           {"place", {{last, {"double", "again", "row"}}}}},
          {"row", {"light", "from"}}};
}

}  // namespace starpath::test
