// Whether a launcher has started several of us.
#include "apps/run/one_process.hpp"

#include <fmt/format.h>

#include "base/error.hpp"
#include "mpi/network/network.hpp"

namespace starpath::apps {

void check_one_process(const std::string& what) {
  if (mpi::launched_ranks() == 1) return;
  if (mpi::launched_rank() > 0) throw CLI::RuntimeError(0);
  throw Error(ErrorKind::usage, fmt::format("{} is for one process: start without mpirun", what));
}

void for_one_process(CLI::App& command) {
  const CLI::App& parent = *command.get_parent();
  const std::string group = parent.get_parent() == nullptr ? "" : parent.get_name() + " ";
  command.preparse_callback([name = group + command.get_name()](std::size_t) { check_one_process(name); });
}

}  // namespace starpath::apps
