// Completion of a program's commands, options and values in zsh.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace starpath::apps {

/// A script for zsh 5 or newer, as share/zsh/site-functions has them, with the descriptions of commands and options.
std::string zsh_completion(const CLI::App& program);

}  // namespace starpath::apps
