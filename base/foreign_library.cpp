#include "base/foreign_library.hpp"

#include <dlfcn.h>

#include <string>
#include <system_error>

#include "base/read_file.hpp"

namespace starpath {

bool names_symbol(const std::filesystem::path& library, std::string_view symbol) {
  return read_file(library).find(symbol) != std::string::npos;
}

void* load_library(const std::filesystem::path& library) {
  // dlopen is declared as one that throws nothing, and initialisers may throw: the compiler must not see which function
  // is called. A name without a slash would be looked for among the system's libraries.
  void* (*const volatile open)(const char*, int) = dlopen;
  return open(std::filesystem::absolute(library).c_str(), RTLD_NOW | RTLD_LOCAL);
}

std::filesystem::path library_of_program(std::string_view file, std::initializer_list<std::string_view> folders) {
  std::error_code error;
  const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", error);
  for (const std::string_view folder : folders) {
    std::filesystem::path candidate = (program.parent_path() / folder / file).lexically_normal();
    if (std::filesystem::exists(candidate, error)) return candidate;
  }
  return {};
}

}  // namespace starpath
