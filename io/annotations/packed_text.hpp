// Files that are compressed as a whole.
#pragma once
#include <string>

namespace starpath::io {

/// The bytes as they are, or those that gzip has packed. Throws Flaw (drawn.hpp) for what is damaged, unpacks to more
/// than `most`, or is an archive of another kind. Pure.
std::string unpacked(std::string bytes, std::size_t most = std::size_t{1} << 30);

}  // namespace starpath::io
