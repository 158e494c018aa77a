// `starpath estimate`: what the estimator says of a task, and how far it can be trusted.
#include <fmt/format.h>

#include <charconv>
#include <memory>
#include <string_view>

#include "apps/commands.hpp"
#include "apps/profile/estimate.hpp"
#include "base/error.hpp"

namespace starpath::apps {

std::pair<std::size_t, std::size_t> range_of_k(const std::string& text) {
  std::size_t first = 0;
  std::size_t last = 0;
  const char* end = text.data() + text.size();
  auto read = std::from_chars(text.data(), end, first);
  last = first;
  if (read.ec == std::errc() && std::string_view(read.ptr, end).starts_with(".."))
    read = std::from_chars(read.ptr + 2, end, last);
  if (read.ec != std::errc() || read.ptr != end || first < 1 || last < first || last > 64)
    throw Error(ErrorKind::usage, fmt::format("--k {}: expected a number or a range like 1..8, from 1 to 64", text));
  return {first, last};
}

namespace {

void run(const EstimateArguments& arguments) {
  if (arguments.cross_validate && !arguments.values.empty())
    throw Error(ErrorKind::usage, "--cross-validate takes no NAME=NUMBER: it asks for every sample there is");
  if (arguments.cross_validate) return print_cross_validation(arguments);
  if (arguments.codelet.empty())
    throw Error(ErrorKind::usage,
                "name a CODELET, or use --cross-validate; `starpath profile list` shows the codelets");
  print_estimates(arguments);
}

}  // namespace

void add_estimate_command(CLI::App& app) {
  auto arguments = std::make_shared<EstimateArguments>();
  CLI::App* command = app.add_subcommand(
      "estimate", "Estimate a task's time and speedup from a profile, or say how good estimates are");
  command->footer(
      "Examples:\n  starpath estimate blur width=4096 height=4096 --profile my.profile\n"
      "  starpath estimate --cross-validate --k 1..8 --profile my.profile\n\n"
      "The time is the mean of the k nearest samples of each kind of device, the speedup the time on --baseline\n"
      "over it (anthill-2010 section 4). A category that is not given counts as 0.");
  command->add_option("CODELET", arguments->codelet, "Its name, as `starpath profile list` prints it");
  command->add_option("PARAMETERS", arguments->values,
                      "The task's parameters, each NAME=NUMBER, named as `starpath profile show` does");
  command->add_option("--profile", arguments->profile, "The file of samples")->required()->envname("STARPATH_PROFILE");
  command->add_flag("--cross-validate", arguments->cross_validate,
                    "Instead: estimate each sample from the others, and print the mean errors of each codelet");
  command->add_option("--k", arguments->k, "How many nearest samples are averaged; with --cross-validate also 1..8")
      ->capture_default_str();
  command->add_option("--baseline", arguments->baseline, "The class that speedups are relative to")
      ->capture_default_str();
  command->add_flag("--json", arguments->json, "Print JSON");
  command->callback([arguments] { run(*arguments); });
}

}  // namespace starpath::apps
