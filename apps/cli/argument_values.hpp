// What holds for the values of all options.
//
// CLI11 reads the argument "[a,b]" as the two values a and b, and has no setting against it: names of files may be in
// brackets. And it takes an empty value for a value, which then says the same as no option.
#pragma once
#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace starpath::apps {

/// The arguments of main() from last to first, as CLI::App::parse() takes them. Those that CLI11 would take apart bear
/// a mark.
std::vector<std::string> marked_arguments(int argc, char** argv);

/// Makes the options of `command`, and of those in it, take the mark off and refuse what is empty, but the
/// arguments of another program.
void check_values(CLI::App& command);

/// A message without marks.
std::string without_marks(std::string message);

}  // namespace starpath::apps
