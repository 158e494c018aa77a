// Commands that ranks of a job do not share.
#pragma once
#include <CLI/CLI.hpp>

namespace starpath::apps {

/// Makes those commands of `app` that every rank would do all of, and write the same files, throw Error{usage} on rank
/// 0 under mpirun. Other ranks end at once, without a word and with exit code 0: a launcher ends all at the first
/// failure, maybe before rank 0 has said why. Commands that only tell of a machine are for any number of processes.
void refuse_ranks(CLI::App& app);

}  // namespace starpath::apps
