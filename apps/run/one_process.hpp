// Commands that ranks of a job do not share.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

/// For a command that every rank would do all of, and write the same files: makes it throw Error{usage} on rank 0 under
/// mpirun. Other ranks end at once, without a word and with exit code 0: a launcher ends all at the first failure,
/// maybe before rank 0 has said why. Commands that only tell of a machine are for any number of processes.
void for_one_process(CLI::App& command);

}  // namespace starpath::apps
