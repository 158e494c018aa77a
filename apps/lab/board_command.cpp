// `starpath-lab board`: every policy on every machine and workload, for several seeds.
#include <cstdint>
#include <memory>

#include "apps/cli/terminal.hpp"
#include "apps/lab/commands.hpp"
#include "lab/experiments/board.hpp"

namespace starpath::apps {
namespace {

struct Arguments {
  std::vector<std::uint64_t> seeds = {1, 2, 3};
  std::string out = ".";
  lab::RunOptions runs;
};

}  // namespace

void add_lab_board(CLI::App& app) {
  auto arguments = std::make_shared<Arguments>();
  CLI::App* command =
      app.add_subcommand("board", "Run every policy on every machine and workload; how policies are judged");
  command->add_option("--seeds", arguments->seeds, "Seeds of the data")->delimiter(',')->capture_default_str();
  command->add_option("--out", arguments->out, "Folder for board.json and board.md")->capture_default_str();
  add_run_options(*command, arguments->runs);
  command->callback([arguments] {
    const auto report = [](const std::string& line) { print_error("{}\n", line); };
    if (!lab::make_board(arguments->seeds, arguments->out, arguments->runs, report)) throw CLI::RuntimeError(1);
  });
}

}  // namespace starpath::apps
