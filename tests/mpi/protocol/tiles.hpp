// What the tests of the manager hand out.
#pragma once
#include <cstdint>
#include <vector>

#include "mpi/protocol/messages.hpp"

namespace starpath::mpi {

inline const Agreement kOurs{"0.1.0", "slide-1", R"({"tile":2048})"};

inline std::vector<std::int64_t> numbered(int count) {
  std::vector<std::int64_t> tiles;
  for (int tile = 0; tile < count; ++tile) tiles.push_back(10 + 3 * tile);
  return tiles;
}

}  // namespace starpath::mpi
