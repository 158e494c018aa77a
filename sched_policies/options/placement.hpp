// STARPATH_PLACEMENT: whether threads that drive GPUs are bound to cores close to them.
#pragma once
#include <optional>
#include <string_view>

namespace starpath {

/// The values of STARPATH_PLACEMENT. `os` binds nothing and leaves the threads to StarPU and the operating system;
/// `worst` is for measuring what `closest` is worth.
enum class Placement { closest, os, worst };

/// nullopt when `text` is none of closest, os, worst.
std::optional<Placement> parse_placement(std::string_view text);
std::string_view name_of(Placement placement);

}  // namespace starpath
