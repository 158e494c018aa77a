// Libraries of somebody else, loaded while the program runs.
#pragma once
#include <filesystem>
#include <string_view>

namespace starpath {

/// Whether the file holds this name of a symbol. One that does not is no library of the wanted kind, and is better not
/// loaded: that would run its initialisers. Throws Error{input} when the file cannot be read.
bool names_symbol(const std::filesystem::path& library, std::string_view symbol);

/// Loads the library at this place, never one of the system's of the same name. Returns dlopen's handle, or nullptr:
/// dlerror() says why. What an initialiser throws goes on; glibc's loader stays locked then, so that a thread which
/// calls it waits for ever.
void* load_library(const std::filesystem::path& library);

}  // namespace starpath
