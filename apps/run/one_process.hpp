// Commands that ranks of a job do not share.
#pragma once
#include <CLI/CLI.hpp>
#include <string>

namespace starpath::apps {

/// For work that every rank would do all of, and write the same files: throws Error{usage} on rank 0 under mpirun,
/// where `what` is the subject. Other ranks end at once, without a word and with exit code 0: a launcher ends all at
/// the first failure, maybe before rank 0 has said why.
void check_one_process(const std::string& what);

/// The same for a whole command, before its options are read. Commands that only tell of a machine are for any number
/// of processes.
void for_one_process(CLI::App& command);

}  // namespace starpath::apps
