// `starpath compare`.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

void add_compare_command(CLI::App& app);

}  // namespace starpath::apps
