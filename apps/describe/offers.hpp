// What a command line offers, read off CLI11's own objects: what `--help` shows, and no more.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace starpath::apps {

/// The subcommands, in the order of the help.
std::vector<const CLI::App*> offered_commands(const CLI::App& app);

/// The options that have names, in the order of the help.
std::vector<const CLI::Option*> offered_options(const CLI::App& app);

/// The arguments without names, in their order on the command line.
std::vector<const CLI::Option*> offered_arguments(const CLI::App& app);

/// "-h", "--help".
std::vector<std::string> names_of(const CLI::Option& option);

/// The values that CLI::IsMember allows the option; empty where it may have others.
std::vector<std::string> values_of(const CLI::Option& option);

/// Whether more than one value may follow the option or stand for the argument.
bool repeats(const CLI::Option& option);

/// Examples and explanations below the options. Empty where they are those of the command above, which CLI11 hands
/// down.
std::string own_footer(const CLI::App& app);

}  // namespace starpath::apps
