// Formats of slides and pictures that are not read, by name.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace starpath::io {

/// What a file is that no backend reads, by its first bytes ("a Zeiss CZI file"), else by the ending of its name; empty
/// where neither tells.
std::string foreign_kind(const std::filesystem::path& file, std::string_view head);

/// The same by its ending alone.
std::string foreign_ending(const std::filesystem::path& file);

}  // namespace starpath::io
