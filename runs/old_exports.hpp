// What was made from results that are replaced.
#pragma once
#include <filesystem>

namespace starpath {

/// Removes the exports beside `results`, by the names that runs of its kind give them, but no file that this process
/// reads. Results that are damaged say no kind: what is beside them stays. Throws Error{output} when one cannot be
/// removed.
void remove_exports_of(const std::filesystem::path& results);

}  // namespace starpath
