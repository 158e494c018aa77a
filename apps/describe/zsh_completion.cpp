// A function for each command, which hands the specifications of its options to zsh's _arguments.
#include "apps/describe/zsh_completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "apps/describe/offers.hpp"

namespace starpath::apps {
namespace {

/// Text inside single quotes, in which _arguments and _describe see no brackets and colons of theirs.
std::string quoted_text(const std::string& text) {
  std::string out;
  for (const char character : text) {
    if (character == '\'')
      out += "'\\''";
    else if (character == '\n')
      out += ' ';
    else if (std::string_view("[]:\\").find(character) != std::string_view::npos)
      out += {'\\', character};
    else
      out += character;
  }
  return out;
}

/// What completes a value: one of a list, several of it behind commas, or the name of a file.
std::string action(const CLI::Option& option) {
  const auto values = values_of(option);
  if (values.empty()) return "_files";
  if (option.get_delimiter() == ',') return fmt::format("_sequence compadd - {}", fmt::join(values, " "));
  return fmt::format("({})", fmt::join(values, " "));
}

/// One specification for each name, so that each may be offered.
std::string option_lines(const CLI::Option& option) {
  const auto names = names_of(option);
  const bool has_value = option.get_items_expected_max() > 0;
  std::string lines;
  for (const std::string& name : names) {
    const std::string shut_out = repeats(option) ? "*" : fmt::format("({})", fmt::join(names, " "));
    const std::string equals = has_value && name.starts_with("--") ? "=" : "";
    const std::string value = has_value ? ":value:" + action(option) : "";
    lines +=
        fmt::format(" \\\n    '{}{}{}[{}]{}'", shut_out, name, equals, quoted_text(option.get_description()), value);
  }
  return lines;
}

std::string argument_lines(const CLI::App& command) {
  std::string lines;
  for (const CLI::Option* argument : offered_arguments(command))
    lines += fmt::format(" \\\n    '{}:{}:{}'", repeats(*argument) ? "*" : "", quoted_text(argument->get_name(true)),
                         action(*argument));
  return lines;
}

std::string choice_of_command(const CLI::App& app, const std::string& function) {
  std::string commands;
  for (const CLI::App* command : offered_commands(app))
    commands += fmt::format("\n        '{}:{}'", command->get_name(), quoted_text(command->get_description()));
  return fmt::format(R"zsh( \
    '1: :->command' '*:: :->rest'
  case $state in
    command)
      local -a commands=({})
      _describe -t commands command commands ;;
    rest)
      (( $+functions[{}_$line[1]] )) && {}_$line[1] ;;
  esac
)zsh",
                     commands, function, function);
}

void add_functions(const CLI::App& app, const std::string& function, std::string& script) {
  script +=
      fmt::format("{}() {{\n  local curcontext=$curcontext line state state_descr\n  typeset -A opt_args\n", function);
  script += "  _arguments -C -S :";
  for (const CLI::Option* option : offered_options(app)) script += option_lines(*option);
  script += offered_commands(app).empty() ? argument_lines(app) + "\n" : choice_of_command(app, function);
  script += "}\n";
  for (const CLI::App* command : offered_commands(app))
    add_functions(*command, function + "_" + command->get_name(), script);
}

}  // namespace

std::string zsh_completion(const CLI::App& program) {
  const std::string name = program.get_name();
  std::string script =
      fmt::format("#compdef {}\n# zsh completion of {}, written by `{} describe zsh`\n", name, name, name);
  add_functions(program, "_" + name, script);
  // Loaded by zsh on the first use, or read by `source`.
  return script + fmt::format("if [[ $funcstack[1] == _{} ]]; then _{} \"$@\"; else compdef _{} {}; fi\n", name, name,
                              name, name);
}

}  // namespace starpath::apps
