// Files of samples that `starpath profile import` reads.
#pragma once
#include <string>
#include <vector>

#include "estimator/store/profile_store.hpp"

namespace starpath::apps {

/// Reads samples from a CSV or JSON file (docs/estimator.md says what they look like); "-" is standard input. Throws
/// Error{input} that names file and line.
std::vector<ProfileGroup> read_samples(const std::string& file);

}  // namespace starpath::apps
