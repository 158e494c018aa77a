// An export as the command line sees it.
#pragma once
#include <filesystem>

namespace starpath::io {

template <class Source>
struct Export {
  const char* name;  // behind --export
  const char* file;  // in the folder of results
  void (*write)(const Source& source, const std::filesystem::path& file);
  bool unless_said = true;  // written by a run that says nothing of exports
  bool reads_slide = false;
};

}  // namespace starpath::io
