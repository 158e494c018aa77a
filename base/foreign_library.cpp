#include "base/foreign_library.hpp"

#include <dlfcn.h>

#include <string>

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

}  // namespace starpath
