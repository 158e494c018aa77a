// How a process gives up its rights before it looks at what may be hostile.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace starpath::reader {

/// What the kernel enforces.
struct Guards {
  bool calls = false;  ///< seccomp: only the system calls of a reader, no file is opened for writing
  bool files = false;  ///< landlock: only files in the folders that were named can be opened
};

/// For good, for this process with its one thread: it reads files in `folders` (and files that are named there), it
/// computes, and it writes messages to `socket`. It cannot write or make files, use the network, start programs or
/// threads, send signals to others, or take more than `memory` bytes. Where the kernel lacks a guard (containers,
/// systems before Linux 5.13) the others hold: the returned value says which. A system call that is not allowed fails
/// with EPERM, which libraries take for a file that is not there.
Guards enter_sandbox(const std::vector<std::filesystem::path>& folders, int socket, std::uint64_t memory);

/// What a slide at `path` may be made of: its folder, where links in it and in the folder of its name lead; and what
/// libraries load when they first need it.
std::vector<std::filesystem::path> readable_for(const std::filesystem::path& path);

/// The share of the machine's memory, or of the lower limit of its container, that a reader may take.
std::uint64_t memory_of_reader();

}  // namespace starpath::reader
