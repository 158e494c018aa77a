// A file as it is, in one text.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace starpath {

/// Error{input}: "<path>: cannot be read (<reason>); <advice>".
class ReadError : public Error {
 public:
  ReadError(const std::filesystem::path& path, int system_error, std::string_view advice = "check the path");
};

/// All of a file, a device or a pipe, which is an input from now on (base/input_files.hpp). Throws ReadError, for a
/// folder too.
std::string read_file(const std::filesystem::path& path, std::string_view advice = "check the path");

/// What is left of an open file, which `name` stands for in errors. Throws ReadError.
std::string read_rest(int file, const std::filesystem::path& name, std::string_view advice = "check the path");

}  // namespace starpath
