// One export as a row of a table: its name, its file, the function that writes it.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "base/own_file.hpp"

namespace starpath::io {

template <class Source>
struct Export {
  const char* name;  // the word behind --export
  const char* file;  // in the folder of results
  void (*write)(const Source& source, const std::filesystem::path& file);
  bool (*is_one)(const std::filesystem::path& file);  // whether a file is such an export (OutputKind)
  bool unless_said = true;                            // whether a run without --export writes it
  bool reads_slide = false;

  NamedOutput output() const { return {file, {"starpath", is_one}}; }
};

/// Calls use(export) for those of `exports` that the user named.
template <class Source, std::size_t n, class Use>
void for_each_wanted(const std::array<Export<Source>, n>& exports, const std::vector<std::string>& names,
                     const Use& use) {
  for (const Export<Source>& each : exports)
    if (std::ranges::find(names, each.name) != names.end()) use(each);
}

}  // namespace starpath::io
