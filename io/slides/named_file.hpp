// Files by names that were typed elsewhere.
#pragma once
#include <filesystem>
#include <string>

namespace starpath::io {

/// `name` with letters and their marks as one character where Unicode has one (normalisation form C): file systems of
/// macOS take them apart. As it is when it is no UTF-8.
std::string composed(const std::string& name);

/// The path as it is when there is a file; else, of the files in its folder, the one whose name is the same but for its
/// Unicode form. The path as it is when there is none. Folders on the way likewise. Never throws.
std::filesystem::path file_of_either_form(const std::filesystem::path& path);

}  // namespace starpath::io
