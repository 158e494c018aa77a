// A file that appears under its name complete or not at all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

namespace starpath::io {

/// Writes to "<name>.part" in the same folder; commit() makes it durable and renames it over `path`. Destroyed before
/// that, it removes what it wrote. One writer a path at a time; a ".part" that a killed program left is overwritten.
/// Not thread-safe.
///
/// write() and commit() throw Error{output} naming path, reason and remedy. The try_ functions never throw: they are
/// for libraries in C that must not be unwound; once one has failed, check() throws its reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::string_view bytes);
  bool try_write(const void* data, std::size_t size) noexcept;
  /// -1 on failure, else the new position (`whence` as lseek takes it).
  std::int64_t try_seek(std::int64_t offset, int whence) noexcept;
  /// Bytes read, fewer at the end of the file; -1 on failure.
  std::int64_t try_read(void* data, std::size_t size) noexcept;
  void check() const;
  void commit();

 private:
  std::filesystem::path path_, part_;
  int file_ = -1;
  int error_ = 0;  // errno of the first failure
};

/// Error{output} for a failed file operation: "<path>: cannot be written (<reason>); <remedy>".
[[noreturn]] void throw_write_error(const std::filesystem::path& path, int system_error);

/// Makes the names in a folder durable. Throws Error{output}.
void sync_folder(const std::filesystem::path& folder);

}  // namespace starpath::io
