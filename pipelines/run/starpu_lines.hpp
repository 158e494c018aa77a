// Lines that StarPU prints on standard error: "[starpu][machine][function] message".
#pragma once

#include <string_view>

namespace starpath {

/// The line without the names in front. Signal handlers may call it.
constexpr std::string_view starpu_message(std::string_view line) {
  while (line.starts_with('[') && line.find(']') != std::string_view::npos) line.remove_prefix(line.find(']') + 1);
  if (line.starts_with(' ')) line.remove_prefix(1);
  return line;
}

/// Warnings say nothing of why a program ended: StarPU as Debian 13 packages it prints one in every program.
constexpr bool is_starpu_warning(std::string_view line) {
  return line.starts_with('[') && starpu_message(line).starts_with("Warning: ");
}

}  // namespace starpath
