// Inputs by what the file system knows them by.
#include "base/input_files.hpp"

#include <sys/stat.h>

#include <atomic>
#include <optional>
#include <stdexcept>
#include <system_error>

namespace starpath {
namespace {

namespace fs = std::filesystem;

std::atomic<InputFiles*> current{nullptr};

std::optional<std::pair<dev_t, ino_t>> id_of(const fs::path& file) {
  struct stat status {};
  if (::stat(file.c_str(), &status) != 0 || !S_ISREG(status.st_mode)) return std::nullopt;
  return std::pair(status.st_dev, status.st_ino);
}

}  // namespace

InputFiles::InputFiles() {
  InputFiles* none = nullptr;
  if (!current.compare_exchange_strong(none, this)) throw std::logic_error("a second list of inputs in one process");
}

InputFiles::~InputFiles() { current = nullptr; }

void InputFiles::note(const fs::path& file) {
  const std::optional<FileId> id = id_of(file);
  if (!id) return;
  std::error_code error;
  fs::path name = fs::absolute(file, error);
  const std::lock_guard lock(mutex_);
  names_.insert_or_assign(*id, std::move(name));
}

bool InputFiles::holds(const fs::path& file) const {
  const std::optional<FileId> id = id_of(file);
  if (!id) return false;
  const std::lock_guard lock(mutex_);
  const auto noted = names_.find(*id);
  // A file that is gone leaves its number to a new one.
  return noted != names_.end() && id_of(noted->second) == id;
}

void note_input(const fs::path& file) {
  if (InputFiles* const inputs = current) inputs->note(file);
}

bool is_input(const fs::path& file) {
  const InputFiles* const inputs = current;
  return inputs != nullptr && inputs->holds(file);
}

bool is_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code none;
  const bool a_is_there = fs::exists(a, none), b_is_there = fs::exists(b, none);
  if (a_is_there && b_is_there) return fs::is_regular_file(a, none) && fs::equivalent(a, b, none);
  if (a_is_there || b_is_there) return false;
  const fs::path place = fs::weakly_canonical(fs::absolute(a, none), none);
  return !place.empty() && place == fs::weakly_canonical(fs::absolute(b, none), none);
}

}  // namespace starpath
