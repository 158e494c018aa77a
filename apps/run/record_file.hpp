// The --record of a run.
#pragma once
#include <optional>

#include "apps/run/run_arguments.hpp"
#include "base/atomic_file.hpp"

namespace starpath::apps {

/// Opens the file if one is asked for: whether it can be written is known before hours of work. Throws Error{output}
/// for a file that is no record.
void open_record(const RunArguments& arguments, std::optional<AtomicFile>& file);

}  // namespace starpath::apps
