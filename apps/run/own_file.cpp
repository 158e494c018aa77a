// The first bytes of files.
#include "apps/run/own_file.hpp"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

#include "base/error.hpp"

namespace starpath::apps {

namespace fs = std::filesystem;

bool is_own_file(const fs::path& file, const FileMark& mark) {
  std::error_code error;
  if (!fs::is_regular_file(fs::symlink_status(file, error))) return false;
  std::string begin(512, '\0');
  std::ifstream in(file, std::ios::binary);
  in.read(begin.data(), std::ssize(begin));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  return begin.starts_with(mark.start) && begin.find(mark.mark) != std::string::npos;
}

void check_is_own_file(const fs::path& file, const FileMark& mark, const char* command) {
  std::error_code error;
  if (!fs::exists(fs::symlink_status(file, error)) || is_own_file(file, mark)) return;
  throw Error(ErrorKind::output, fmt::format("{}: is no file that `{}` wrote; move it away", file.string(), command));
}

void check_may_replace(const fs::path& file, const FileMark& mark, const char* command) {
  std::error_code error;
  const bool has_content = fs::is_regular_file(fs::symlink_status(file, error)) && fs::file_size(file, error) > 0;
  if (has_content) check_is_own_file(file, mark, command);
}

}  // namespace starpath::apps
