// Which program wrote a Parquet file.
#pragma once
#include <filesystem>
#include <string>

namespace starpath::io {

/// Whether `created_by` in the footer of a Parquet file is `program`, and the footer has the form of ParquetFile's. Not
/// so of another file. Never throws but for lack of memory.
bool is_parquet_of(const std::filesystem::path& file, const std::string& program);

}  // namespace starpath::io
