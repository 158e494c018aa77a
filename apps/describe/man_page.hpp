// The manual page of a program, in the macros of man(7).
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace starpath::apps {

/// The page for section 1, with all commands of `program`. `version` as "0.2.0".
std::string man_page(const CLI::App& program, const std::string& version);

}  // namespace starpath::apps
