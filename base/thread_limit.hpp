// What there is to do where the system starts no more threads.
#pragma once

namespace starpath {

/// For the end of a message.
inline constexpr const char* kThreadLimitAdvice =
    "raise the limit on processes or memory (ulimit -u, -d or -v, or the container's), or ask for fewer workers "
    "(--cpus)";

}  // namespace starpath
