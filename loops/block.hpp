// A block: neighbouring iterations of a loop that one processor runs in one go.
#pragma once
#include <cstddef>

namespace starpath::loops {

struct Block {
  std::size_t begin = 0;
  std::size_t size = 0;  // 0: no block

  std::size_t end() const { return begin + size; }
  explicit operator bool() const { return size != 0; }
  bool operator==(const Block&) const = default;
};

}  // namespace starpath::loops
