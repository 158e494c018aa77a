// The mark before a bracket, and empty values.
#include "apps/cli/argument_values.hpp"

namespace starpath::apps {
namespace {

constexpr char kMark = '\x1f';  // ASCII's unit separator

std::string marked(std::string argument) {
  // Without a mark the next argument would be the value.
  if (argument.starts_with("--") && argument.find('=') == argument.size() - 1) return argument + kMark;
  if (!argument.ends_with(']')) return argument;
  const bool is_option = argument.starts_with('-');
  const std::size_t value = is_option ? argument.find('=') + 1 : 0;  // 0 without '='
  if (argument[value] == '[') argument.insert(value, 1, kMark);
  return argument;
}

}  // namespace

std::vector<std::string> marked_arguments(int argc, char** argv) {
  std::vector<std::string> arguments;
  for (int i = argc - 1; i > 0; --i) arguments.push_back(marked(argv[i]));
  return arguments;
}

void check_values(CLI::App& command) {
  for (CLI::Option* option : command.get_options()) {
    const bool may_be_empty = option->get_name() == "COMMAND";  // arguments of another program
    const auto check = [may_be_empty](std::string& value) -> std::string {
      const std::size_t at = value.ends_with(kMark) ? value.size() - 1 : value.find(std::string{kMark, '['});
      if (at != std::string::npos) value.erase(at, 1);
      return value.empty() && !may_be_empty ? "is empty; leave it out or give it a value" : "";
    };
    option->transform(CLI::Validator(check, ""));  // before all others
  }
  for (CLI::App* each : command.get_subcommands({})) check_values(*each);
}

std::string without_marks(std::string message) {
  std::erase(message, kMark);
  return message;
}

}  // namespace starpath::apps
