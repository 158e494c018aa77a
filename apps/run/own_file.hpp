// Files that a command knows again as its own.
#pragma once
#include <filesystem>
#include <string>

namespace starpath::apps {

/// How such a file begins: with `start`, and with `mark` within the first bytes.
struct FileMark {
  std::string start, mark;
};

/// Whether `file` is a regular file, and no link, that begins so.
bool is_own_file(const std::filesystem::path& file, const FileMark& mark);

/// Throws Error{output} when there is something at `file` that does not begin so: "is no file that `command` wrote".
void check_is_own_file(const std::filesystem::path& file, const FileMark& mark, const char* command);

/// The same for a file that the user names, who may also give an empty one, a device, a pipe or a link.
void check_may_replace(const std::filesystem::path& file, const FileMark& mark, const char* command);

/// How the pages for browsers of a command begin.
inline FileMark page_mark(const std::string& command) {
  return {"<!DOCTYPE html>\n<!-- The ", " of `" + command + "`"};
}

}  // namespace starpath::apps
