// What CLI11's objects say of a command line.
#include "apps/describe/offers.hpp"

namespace starpath::apps {

std::vector<const CLI::App*> offered_commands(const CLI::App& app) {
  return app.get_subcommands([](const CLI::App* command) { return !command->get_group().empty(); });
}

std::vector<const CLI::Option*> offered_options(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return !option->get_group().empty() && option->nonpositional(); });
}

std::vector<const CLI::Option*> offered_arguments(const CLI::App& app) {
  return app.get_options(
      [](const CLI::Option* option) { return !option->get_group().empty() && !option->nonpositional(); });
}

std::vector<std::string> names_of(const CLI::Option& option) {
  std::vector<std::string> names;
  for (const std::string& name : option.get_snames()) names.push_back("-" + name);
  for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
  return names;
}

std::vector<std::string> values_of(const CLI::Option& option) {
  const std::string type = option.get_type_name();  // as TEXT:{sh,fish,csh}
  const std::size_t begin = type.find('{'), end = type.rfind('}');
  if (begin == std::string::npos || end == std::string::npos) return {};
  return CLI::detail::split(type.substr(begin + 1, end - begin - 1), ',');
}

bool repeats(const CLI::Option& option) { return option.get_items_expected_max() > 1; }

std::string own_footer(const CLI::App& app) {
  std::string footer = app.get_footer();
  return app.get_parent() != nullptr && footer == app.get_parent()->get_footer() ? "" : footer;
}

}  // namespace starpath::apps
