// Files of samples that `starpath profile import` reads.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "estimator/store/profile_store.hpp"

namespace starpath {

/// Reads samples from a CSV or JSON file (docs/estimator.md says what they look like); "-" is standard input. Throws
/// Error{input} that names file and line.
std::vector<ProfileGroup> read_samples(const std::string& file);

/// Adds the samples of such a file to the profile, which is made if it is missing. Returns how many samples these are.
/// Throws as read_samples and open_profile, and Error{mismatch} where parameters of a codelet have other names in the
/// profile than in the file.
std::size_t import_samples(const std::string& file, const std::string& profile);

}  // namespace starpath
