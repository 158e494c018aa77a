// The Python package that comes with the program.
#pragma once
#include <string>
#include <vector>

namespace starpath::apps {

/// Replaces this process by what `python3 -m starpath ARGUMENTS` starts, which ends with the exit codes of this
/// program. The package is the one that is installed beside the program, or the source tree's when the program stands
/// in a build folder. The environment's STARPATH_PYTHON names another Python. Throws Error{runtime} where the package
/// is not there, or where Python cannot be started. Files that this process has open close, and its locks end. SIGINT,
/// SIGTERM and SIGHUP wait until the package has handlers for them.
[[noreturn]] void become_python_package(const std::vector<std::string>& arguments);

}  // namespace starpath::apps
