// Whether a results file holds what its run wrote.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

namespace starpath::io {

/// Of a file that is whole.
struct VerifiedResults {
  std::string units;             // what the run worked on, a plural: "tiles", "fields", "rows"
  std::int64_t count = 0;        // of the units
  std::int64_t guarded = 0;      // units with a checksum
  std::optional<bool> finished;  // whether the run came to its end; none: this pipeline does not note it
};

/// Reads the whole file, and changes nothing but what a kill left half done. Throws Error{mismatch} when something is
/// not as it was written, or when no unit has a checksum; and as Database and check_result_schema.
VerifiedResults verify_results(const std::string& file);

}  // namespace starpath::io
