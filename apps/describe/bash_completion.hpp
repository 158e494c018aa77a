// Completion of a program's commands, options and values in bash.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace starpath::apps {

/// A script for bash 4 or newer, as share/bash-completion/completions has them. What it does not know it leaves to
/// bash, which completes names of files.
std::string bash_completion(const CLI::App& program);

}  // namespace starpath::apps
