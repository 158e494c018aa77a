// One function: it finds the command that the words before the cursor name, and looks up what may follow.
#include "apps/describe/bash_completion.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "apps/describe/offers.hpp"

namespace starpath::apps {
namespace {

/// Branches of the script's `case`. A command is named with those above it, as starpath/nbia/run.
struct Branches {
  std::vector<std::string> commands;
  std::string values;  // by a command and the word before
  std::string words;   // by a command
};

void add_values(const std::string& before, const std::vector<std::string>& values, Branches& branches) {
  if (!values.empty()) branches.values += fmt::format("    '{}') values='{}' ;;\n", before, fmt::join(values, " "));
}

void add_branches(const CLI::App& app, const std::string& path, Branches& branches) {
  std::vector<std::string> options, commands;
  for (const CLI::Option* option : offered_options(app)) {
    for (const std::string& name : names_of(*option)) {
      options.push_back(name);
      add_values(path + " " + name, values_of(*option), branches);
    }
  }
  if (const auto arguments = offered_arguments(app); !arguments.empty())  // the first follows the command's name
    add_values(path + " " + app.get_name(), values_of(*arguments[0]), branches);
  for (const CLI::App* command : offered_commands(app)) commands.push_back(command->get_name());
  branches.words +=
      fmt::format("    {}) commands='{}' options='{}' ;;\n", path, fmt::join(commands, " "), fmt::join(options, " "));
  for (const CLI::App* command : offered_commands(app)) {
    const std::string below = path + "/" + command->get_name();
    branches.commands.push_back(below);
    add_branches(*command, below, branches);
  }
}

// In the words that bash gives, --shell=csh is three: --shell, = and csh.
constexpr const char* kScript = R"bash(# bash completion of {name}, written by `{name} describe bash`
_{name}() {{
  local current=${{COMP_WORDS[COMP_CWORD]}} before=${{COMP_WORDS[COMP_CWORD - 1]}}
  local command={name} index values='' commands='' options='' words='' head=''
  COMPREPLY=()
  if [[ $current == '=' ]]; then
    current=''
  elif [[ $before == '=' ]]; then
    before=${{COMP_WORDS[COMP_CWORD - 2]}}
  fi
  for ((index = 1; index < COMP_CWORD; index++)); do
    case $command/${{COMP_WORDS[index]}} in
    {commands})
      command+=/${{COMP_WORDS[index]}} ;;
    esac
  done
  case "$command $before" in
{values}  esac
  if [[ -n $values && $current != -* ]]; then
    [[ $current != *,* ]] || head=${{current%,*}},
    mapfile -t COMPREPLY < <(compgen -P "$head" -W "$values" -- "${{current##*,}}")
    return
  fi
  case $command in
{words}  esac
  if [[ $current == -* ]]; then words=$options; else words=$commands; fi
  [[ -z $words ]] || mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}}
complete -o bashdefault -o default -F _{name} {name}
)bash";

}  // namespace

std::string bash_completion(const CLI::App& program) {
  const std::string name = program.get_name();
  Branches branches;
  add_branches(program, name, branches);
  return fmt::format(kScript, fmt::arg("name", name), fmt::arg("commands", fmt::join(branches.commands, " | ")),
                     fmt::arg("values", branches.values), fmt::arg("words", branches.words));
}

}  // namespace starpath::apps
