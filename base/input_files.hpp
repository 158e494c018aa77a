// Files that this process reads: none of its outputs replaces one.
#pragma once
#include <filesystem>

namespace starpath {

/// From now on, open_device(), and so AtomicFile and open_in_place(), refuse to write over this file, by a link or
/// another spelling too. Whoever reads a file that a user names notes it. What is no regular file is passed over.
/// Thread-safe. Never throws but for lack of memory.
void note_input(const std::filesystem::path& file);

/// Whether `file` is one that was noted and is still there.
bool is_input(const std::filesystem::path& file);

}  // namespace starpath
