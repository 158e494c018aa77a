// Whether a launcher has started several of us.
#include "apps/one_process.hpp"

#include <fmt/format.h>

#include <string>

#include "base/error.hpp"
#include "mpi/network/network.hpp"

namespace starpath::apps {
namespace {

void refuse(CLI::App& command, const std::string& parent = "") {
  command.preparse_callback([name = parent + command.get_name()](std::size_t) {
    if (cluster::launched_ranks() == 1) return;
    if (cluster::launched_rank() > 0) throw CLI::RuntimeError(0);
    throw Error(ErrorKind::usage, fmt::format("{} is for one process: start without mpirun", name));
  });
}

}  // namespace

void refuse_ranks(CLI::App& app) {
  for (const char* name :
       {"classify", "cohort", "compare", "export", "info", "loop", "preview", "report", "tissue", "verify"})
    refuse(*app.get_subcommand(name));
  CLI::App* nbia = app.get_subcommand("nbia");
  for (const char* name : {"train", "evaluate"}) refuse(*nbia->get_subcommand(name), "nbia ");
}

}  // namespace starpath::apps
