// An export as the command line sees it.
#pragma once
#include <filesystem>

namespace starpath::io {

template <class Source>
struct Export {
  const char* name;  // behind --export
  const char* file;  // in the folder of results
  void (*write)(const Source& source, const std::filesystem::path& file);
};

}  // namespace starpath::io
