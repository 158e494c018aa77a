// A section for each command: its usage, its description, its options, its examples.
#include "apps/describe/man_page.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string_view>

#include "apps/describe/offers.hpp"

namespace starpath::apps {
namespace {

/// The character as roff prints it unchanged.
std::string escaped(char character) {
  switch (character) {
    case '\\':
      return "\\(rs";
    case '-':
      return "\\-";
    case '\'':
      return "\\(aq";
    case '`':
      return "\\(ga";
    case '^':
      return "\\(ha";
    case '~':
      return "\\(ti";
    default:
      return {character};
  }
}

/// No line of the result is a request of roff's.
std::string plain(std::string_view text) {
  std::string out;
  bool at_begin = true;
  for (const char character : text) {
    if (at_begin && character == '.') out += "\\&";
    out += escaped(character);
    at_begin = character == '\n';
  }
  return out;
}

std::string argument_usage(const CLI::App& command) {
  std::string usage;
  for (const CLI::Option* argument : offered_arguments(command))
    usage += " " + CLI::Formatter().make_option_usage(argument);
  return usage;
}

std::string entry(const std::string& name, const CLI::Option& option) {
  return fmt::format(".TP\n\\fB{}\\fR{}\n{}\n", plain(name), plain(CLI::Formatter().make_option_opts(&option)),
                     plain(option.get_description()));
}

std::string entries(const CLI::App& command) {
  std::string out;
  for (const CLI::Option* argument : offered_arguments(command)) out += entry(argument->get_name(true), *argument);
  for (const CLI::Option* option : offered_options(command)) {
    const bool is_help_again = option == command.get_help_ptr() && command.get_parent() != nullptr;
    if (!is_help_again) out += entry(fmt::format("{}", fmt::join(names_of(*option), ", ")), *option);
  }
  return out;
}

/// The lines as they were written, not filled.
std::string verbatim(const std::string& text) { return ".nf\n" + plain(text) + "\n.fi\n"; }

void add_sections(const CLI::App& app, const std::string& path, std::string& page) {
  for (const CLI::App* command : offered_commands(app)) {
    const std::string name = path + " " + command->get_name();
    page += fmt::format(".SS \"{}\"\n{}\n.PP\n\\fB{}\\fR [OPTIONS]{}\n", plain(name), plain(command->get_description()),
                        plain(name), plain(argument_usage(*command)));
    page += entries(*command);
    if (const std::string footer = own_footer(*command); !footer.empty()) page += ".PP\n" + verbatim(footer);
    add_sections(*command, name, page);
  }
}

}  // namespace

std::string man_page(const CLI::App& program, const std::string& version) {
  const std::string name = program.get_name();
  std::string page = fmt::format(".TH {} 1 \"\" \"{} {}\"\n.nh\n", name, name, version);  // no hyphenation
  page += fmt::format(".SH NAME\n{} \\- {}\n", plain(name), plain(program.get_description()));
  page += fmt::format(".SH SYNOPSIS\n\\fB{}\\fR COMMAND [OPTIONS] [ARGUMENTS]\n", plain(name));
  page += ".SH OPTIONS\n" + entries(program);
  page += ".SH COMMANDS\n";
  add_sections(program, name, page);
  return page + ".SH NOTES\n" + verbatim(own_footer(program));
}

}  // namespace starpath::apps
