// By the system's own functions: streams of the standard library keep the reason of a failure for themselves, and throw
// what is no Error for a folder.
#include "base/read_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>

#include "base/input_files.hpp"

namespace starpath {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 16;

/// Closes a file at the end of a scope.
struct OpenFile {
  explicit OpenFile(int opened) : file(opened) {}
  ~OpenFile() { ::close(file); }
  OpenFile(const OpenFile&) = delete;
  OpenFile& operator=(const OpenFile&) = delete;
  const int file;
};

}  // namespace

ReadError::ReadError(const std::filesystem::path& path, int system_error, std::string_view advice)
    : Error(ErrorKind::input,
            fmt::format("{}: cannot be read ({}); {}", path.string(), std::strerror(system_error), advice)) {}

std::string read_rest(int file, const std::filesystem::path& name, std::string_view advice) {
  std::string text;
  if (struct stat status{}; ::fstat(file, &status) == 0 && S_ISREG(status.st_mode))
    text.reserve(static_cast<std::size_t>(status.st_size));  // a large picture is not copied as it grows
  std::array<char, kPiece> piece;
  for (;;) {
    const ssize_t count = ::read(file, piece.data(), piece.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw ReadError(name, errno, advice);
    if (count == 0) return text;
    text.append(piece.data(), static_cast<std::size_t>(count));
  }
}

std::string read_file(const std::filesystem::path& path, std::string_view advice) {
  const OpenFile opened(::open(path.c_str(), O_RDONLY | O_NOCTTY | O_CLOEXEC));
  if (opened.file < 0) throw ReadError(path, errno, advice);
  note_input(path);
  return read_rest(opened.file, path, advice);
}

}  // namespace starpath
