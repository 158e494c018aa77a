// Where a run leaves its record.
#include "apps/run/record_file.hpp"

#include "apps/run/own_file.hpp"

namespace starpath::apps {

std::unique_ptr<AtomicFile> open_record(const RunRequest& request) {
  if (request.record.empty()) return nullptr;
  check_may_replace(request.record, {R"({"classes":[)", R"("workers":)"}, "starpath --record");
  return std::make_unique<AtomicFile>(request.record);
}

}  // namespace starpath::apps
