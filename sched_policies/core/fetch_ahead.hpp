// Prefetching: long queues do not fit into the caches.
#pragma once
#include <cstddef>

namespace starpath {

/// Asks for memory that will be used soon. A hint: any address is allowed, also one of an object that is gone.
inline void fetch_ahead(const void* from, std::size_t bytes = 1) {
  constexpr std::size_t line = 64;
  for (std::size_t byte = 0; byte < bytes; byte += line) __builtin_prefetch(static_cast<const char*>(from) + byte, 1);
  // GCC would drop calls of a function that only prefetches: it counts as one without effect.
  asm volatile("");
}

}  // namespace starpath
