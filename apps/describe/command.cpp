// `starpath describe man|bash|zsh`: the command line about itself, for packages and shells. The help does not list it.
#include <CLI/CLI.hpp>
#include <memory>
#include <string>

#include "apps/cli/terminal.hpp"
#include "apps/describe/bash_completion.hpp"
#include "apps/describe/man_page.hpp"
#include "apps/describe/zsh_completion.hpp"
#include "starpath_version.hpp"

namespace starpath::apps {

void add_describe_command(CLI::App& app) {
  auto format = std::make_shared<std::string>();
  CLI::App* command = app.add_subcommand("describe", "Print the manual page, or completions for a shell")->group("");
  command->add_option("FORMAT", *format, "man, bash or zsh")->required()->check(CLI::IsMember({"man", "bash", "zsh"}));
  command->callback([&app, format] {
    write_out(*format == "man"    ? man_page(app, version)
              : *format == "bash" ? bash_completion(app)
                                  : zsh_completion(app));
  });
}

}  // namespace starpath::apps
