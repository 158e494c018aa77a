// How many pixels of a slide make one of the working grid.
#pragma once
#include <string>

namespace starpath::io {

/// From `mpp` to `target_mpp`. `name`: the source of `mpp`, for errors. Throws Error{usage} outside [1/16, 64].
double working_scale(const std::string& name, double mpp, double target_mpp);

}  // namespace starpath::io
