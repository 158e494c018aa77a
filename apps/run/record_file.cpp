// Where a run leaves its record.
#include "apps/run/record_file.hpp"

#include "base/own_file.hpp"
#include "comparison/record.hpp"

namespace starpath::apps {

std::unique_ptr<AtomicFile> open_record(const RunRequest& request) {
  if (request.record.empty()) return nullptr;
  check_is_record(request);
  return std::make_unique<AtomicFile>(request.record);
}

void check_is_record(const RunRequest& request) {
  check_may_replace(request.record, OutputKind{"starpath --record", is_record_file});
}

}  // namespace starpath::apps
