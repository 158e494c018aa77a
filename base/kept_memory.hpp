// Memory that the C library keeps when it is freed.
#pragma once
#include <malloc.h>

namespace starpath {

/// Lets the C library use blocks of up to 32 MiB again where it would map each of them anew, whose pages the system
/// would clear: tiles and canvases come and go all the time. Of what is free at the end of its memory it keeps 64 MiB.
/// Once in a process, at its start. Does nothing with a C library that has no such choice.
inline void keep_freed_memory() {
#ifdef M_MMAP_THRESHOLD
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the largest value that is allowed
  ::mallopt(M_TRIM_THRESHOLD, 64 << 20);
#endif
}

}  // namespace starpath
