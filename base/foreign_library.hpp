// Libraries that are loaded while the program runs: somebody else's, and those installed with the program.
#pragma once
#include <filesystem>
#include <initializer_list>
#include <string_view>

namespace starpath {

/// Whether the file holds this name of a symbol. One that does not is no library of the wanted kind, and is better not
/// loaded: that would run its initialisers. Throws Error{input} when the file cannot be read.
bool names_symbol(const std::filesystem::path& library, std::string_view symbol);

/// Loads the library at this place, never one of the system's of the same name. Returns dlopen's handle, or nullptr:
/// dlerror() says why. What an initialiser throws goes on; glibc's loader stays locked then, so that a thread which
/// calls it waits for ever.
void* load_library(const std::filesystem::path& library);

/// The library `file` in the first of `folders` that holds it, or an empty path. The folders are relative to that of
/// the running program: of the build tree, and of an installed one.
std::filesystem::path library_of_program(std::string_view file, std::initializer_list<std::string_view> folders);

}  // namespace starpath
