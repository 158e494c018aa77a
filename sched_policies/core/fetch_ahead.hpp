// Memory asked for before it is used: long queues do not fit the caches.
#pragma once

#include <cstddef>

namespace starpath {

/// A hint: any address will do, also one of something that is gone.
inline void fetch_ahead(const void* from, std::size_t bytes = 1) {
  constexpr std::size_t kLine = 64;
  for (std::size_t byte = 0; byte < bytes; byte += kLine) __builtin_prefetch(static_cast<const char*>(from) + byte, 1);
  // GCC takes a function that only fetches for one without any effect, and drops its calls.
  asm volatile("");
}

}  // namespace starpath
