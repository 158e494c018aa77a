// What fuzz targets share: the input as text or as a file, and which failures are none.
#pragma once
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace starpath::fuzz {

/// Runs `work`, which may throw an Error that blames its input. A bug of ours, and any other exception, ends the
/// process: libFuzzer keeps the input that did it.
template <class Work>
void expect_errors_only(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    const std::string_view message = error.what();
    // One line, and the kind of a user's problem.
    if (error.kind() == ErrorKind::internal || message.empty() || message.find('\n') != std::string_view::npos) {
      std::fprintf(stderr, "a bug of ours, or no line: '%s'\n", error.what());
      std::abort();
    }
  }
}

inline std::string text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// A folder in memory that this process alone has. libFuzzer ends by _exit(): scripts/fuzz.sh removes what is left.
inline const std::filesystem::path& folder() {
  static const std::filesystem::path path = [] {
    const char* base = std::getenv("STARPATH_FUZZ_FOLDER");
    std::string name = std::string(base != nullptr ? base : "/dev/shm") + "/starpath-fuzz-XXXXXX";
    if (mkdtemp(name.data()) == nullptr) std::abort();
    return name;
  }();
  return path;
}

/// A file with these bytes, the same one each time.
inline std::string file_of(std::string_view bytes, const std::string& name = "input") {
  const std::string path = (folder() / name).string();
  std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  return path;
}

}  // namespace starpath::fuzz
