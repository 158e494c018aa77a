// The `starpath-lab` command: simulated runs, on one machine or on several nodes.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <exception>
#include <string_view>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "base/error.hpp"
#include "base/input_files.hpp"

int main(int argc, char** argv) {
  const bool nodes = std::any_of(argv + 1, argv + argc, [](std::string_view argument) {
    const std::string_view option = argument.substr(0, argument.find('='));
    return option == "--network" || option == "--cluster";  // the second: its name in 0.1.0
  });
  try {
    starpath::apps::open_standard_streams();
    starpath::InputFiles inputs;
    std::signal(SIGXFSZ, SIG_IGN);  // writes fail instead, as on a full disk
    const int code =
        nodes ? starpath::apps::lab_nodes_command(argc, argv) : starpath::apps::lab_machine_command(argc, argv);
    if (code == 0) starpath::apps::finish_output();
    return code;
  } catch (const starpath::Error& error) {
    starpath::apps::print_error("starpath-lab: {}\n", error.what());
    return static_cast<int>(error.kind());
  } catch (const std::exception& error) {
    starpath::apps::print_error("starpath-lab: {}\n", error.what());
    return static_cast<int>(starpath::ErrorKind::internal);
  }
}
