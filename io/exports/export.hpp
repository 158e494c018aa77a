// An export as the command line sees it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace starpath::io {

template <class Source>
struct Export {
  const char* name;  // behind --export
  const char* file;  // in the folder of results
  void (*write)(const Source& source, const std::filesystem::path& file);
  bool unless_said = true;  // written by a run that says nothing of exports
  bool reads_slide = false;
};

/// Calls use(export) for those of `exports` that the user named.
template <class Source, std::size_t n, class Use>
void for_each_wanted(const std::array<Export<Source>, n>& exports, const std::vector<std::string>& names,
                     const Use& use) {
  for (const Export<Source>& each : exports)
    if (std::ranges::find(names, each.name) != names.end()) use(each);
}

}  // namespace starpath::io
