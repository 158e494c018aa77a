// Lists of numbers and names as the profile stores them: text that other tools can read.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "estimator/features.hpp"

namespace starpath {

/// "1 2.5 3": the shortest text that reads back to the same numbers.
std::string join_numbers(std::span<const double> numbers);
std::string join_numbers(std::span<const std::int64_t> numbers);

/// Appends what join_numbers wrote to `features`; false when a text is not that or holds more than there is place for.
bool read_numbers(std::string_view numeric, std::string_view categorical, Features& features);

/// Names separated by line ends; a line end in a name becomes a blank.
std::string join_names(std::span<const std::string> names);
std::vector<std::string> split_names(std::string_view text);

}  // namespace starpath
