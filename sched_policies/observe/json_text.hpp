// Text as a JSON string.
#pragma once
#include <string>
#include <string_view>

namespace starpath {

/// `text` in double quotes, with what JSON does not allow inside them escaped.
std::string json_text(std::string_view text);

}  // namespace starpath
