// Where a run leaves its record.
#include "apps/run/record_file.hpp"

#include "base/own_file.hpp"
#include "comparison/record.hpp"

namespace starpath::apps {

std::unique_ptr<AtomicFile> open_record(const RunRequest& request) {
  if (request.record.empty()) return nullptr;
  check_may_replace(request.record, OutputKind{"starpath --record", is_record_file});
  return std::make_unique<AtomicFile>(request.record);
}

}  // namespace starpath::apps
