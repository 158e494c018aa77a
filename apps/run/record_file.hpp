// The --record of a run.
#pragma once
#include <memory>

#include "apps/run/run_request.hpp"
#include "base/atomic_file.hpp"

namespace starpath::apps {

/// Opens the file if the request names one, else returns nullptr: a file that cannot be written is known before hours
/// of work. Throws Error{output} for a file that is no record.
std::unique_ptr<AtomicFile> open_record(const RunRequest& request);

/// Throws Error{output} when there is anything else at the request's place for the record than a record.
void check_is_record(const RunRequest& request);

}  // namespace starpath::apps
