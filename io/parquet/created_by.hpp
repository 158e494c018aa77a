// Which program wrote a Parquet file.
#pragma once
#include <filesystem>
#include <string>

namespace starpath::io {

/// The text `created_by` of a Parquet file's footer; empty where there is none, or no such file. Never throws but for
/// lack of memory.
std::string parquet_created_by(const std::filesystem::path& file);

}  // namespace starpath::io
