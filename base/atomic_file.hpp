// A file that appears under its name complete or not at all.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>

#include "base/own_file.hpp"
#include "base/unfinished_file.hpp"

namespace starpath {

/// Writes to "<path>.<number>.part", a new file that only this object has; commit() makes it durable and renames it to
/// `path`. Destroyed before that, it removes what it wrote, as remove_unfinished_files() does. What a killed program
/// left under such a name goes when the next one writes to the same path. Devices and pipes (open_device) are written
/// directly, and commit() renames nothing. Waiting for the reader of a pipe ends with StoppedWaiting when the user
/// stops the command. Not thread-safe.
///
/// The constructor, write() and commit() throw WriteError. The try_ functions never throw: they are for libraries in C
/// that must not be unwound; once one has failed, check() throws its reason.
class AtomicFile {
 public:
  explicit AtomicFile(std::filesystem::path path);
  /// For one kind of output: this constructor and commit() throw Error{output} for a file of another kind at `path`
  /// (check_may_replace).
  AtomicFile(std::filesystem::path path, const OutputKind& kind);
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
  void make_part();

  std::filesystem::path path_, part_;  // part_ is empty when path_ is written directly
  std::optional<UnfinishedFile> unfinished_;
  std::optional<OutputKind> kind_;
  int file_ = -1;
  bool is_pipe_ = false;
  int error_ = 0;  // errno of the first failure; ECANCELED: the user stopped the command
};

/// Makes the names in a folder durable. Throws WriteError.
void sync_folder(const std::filesystem::path& folder);

}  // namespace starpath
