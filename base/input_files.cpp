// Inputs by what the file system knows them by.
#include "base/input_files.hpp"

#include <sys/stat.h>

#include <map>
#include <mutex>
#include <optional>
#include <system_error>
#include <utility>

namespace starpath {
namespace {

namespace fs = std::filesystem;

using FileId = std::pair<dev_t, ino_t>;

std::optional<FileId> id_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return FileId(status.st_dev, status.st_ino);
}

struct Inputs {
  std::mutex mutex;
  std::map<FileId, fs::path> names;  // absolute
};

Inputs& inputs() {
  static Inputs all;
  return all;
}

}  // namespace

void note_input(const fs::path& file) {
  const std::optional<FileId> id = id_of(file);
  if (!id) return;
  std::error_code error;
  fs::path name = fs::absolute(file, error);
  const std::lock_guard lock(inputs().mutex);
  inputs().names.insert_or_assign(*id, std::move(name));
}

bool is_input(const fs::path& file) {
  const std::optional<FileId> id = id_of(file);
  if (!id) return false;
  const std::lock_guard lock(inputs().mutex);
  const auto noted = inputs().names.find(*id);
  // A file that is gone leaves its number to a new one.
  return noted != inputs().names.end() && id_of(noted->second) == id;
}

}  // namespace starpath
