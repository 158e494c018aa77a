// How work ends that is told to stop.
#pragma once

namespace starpath {

/// Thrown where work ends early without a fault of this process: it was told to stop, or another one failed.
struct Stopped {};

}  // namespace starpath
