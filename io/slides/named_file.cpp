// Normalised by GLib, which OpenSlide is built on and has loaded. Its headers are not needed for anything else, so its
// two functions are looked up by name; in a build without it, names are compared as they are.
#include "io/slides/named_file.hpp"

#include <dlfcn.h>
#include <sys/types.h>

#include <memory>
#include <system_error>

#include "base/utf8.hpp"

namespace starpath::io {
namespace {

namespace fs = std::filesystem;

constexpr int kFormC = 1;  // G_NORMALIZE_DEFAULT_COMPOSE

struct Glib {
  char* (*normalise)(const char*, ssize_t, int) = nullptr;  // g_utf8_normalize
  void (*free)(void*) = nullptr;                            // g_free
};

const Glib& glib() {
  static const Glib found = [] {
    Glib functions;
    void* const library = ::dlopen("libglib-2.0.so.0", RTLD_LAZY);
    if (library == nullptr) return functions;
    functions.normalise = reinterpret_cast<decltype(functions.normalise)>(::dlsym(library, "g_utf8_normalize"));
    functions.free = reinterpret_cast<decltype(functions.free)>(::dlsym(library, "g_free"));
    return functions;
  }();
  return found;
}

}  // namespace

std::string composed(const std::string& name) {
  if (glib().normalise == nullptr || glib().free == nullptr || !is_utf8(name)) return name;
  const std::unique_ptr<char, void (*)(void*)> text(
      glib().normalise(name.data(), static_cast<ssize_t>(name.size()), kFormC), glib().free);
  return text ? text.get() : name;
}

fs::path file_of_either_form(const fs::path& path) {
  std::error_code error;
  if (path.empty() || !path.has_filename() || fs::exists(path, error)) return path;
  const fs::path folder = path.has_parent_path() ? file_of_either_form(path.parent_path()) : fs::path();
  const std::string name = composed(path.filename().string());
  for (fs::directory_iterator entry(folder.empty() ? "." : folder, error), end; !error && entry != end;
       entry.increment(error))
    if (composed(entry->path().filename().string()) == name) return folder / entry->path().filename();
  return path;
}

}  // namespace starpath::io
