// Where a run leaves its record.
#include "apps/run/record_file.hpp"

#include "apps/run/own_file.hpp"

namespace starpath::apps {

void open_record(const RunArguments& arguments, std::optional<AtomicFile>& file) {
  if (arguments.record.empty()) return;
  check_may_replace(arguments.record, {R"({"classes":[)", R"("workers":)"}, "starpath --record");
  file.emplace(arguments.record);
}

}  // namespace starpath::apps
