// STARPATH_TRACE: every task on a time line.
#include "sched_policies/observe/trace.hpp"

#include <array>
#include <cerrno>
#include <cstring>
#include <sstream>

#include "base/output_file.hpp"
#include "sched_policies/observe/json_text.hpp"

namespace starpath {

Trace::Trace(const std::string& file, const Machine& machine) {
  try {
    file_ = ::fdopen(open_in_place(file), "w");
  } catch (const WriteError& error) {
    error_ = error.reason();
  }
  if (file_ == nullptr) return;
  std::fputs("[", file_);
  for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
    const std::string name = std::to_string(worker) + " " + machine.classes()[machine.class_of(worker)].name;
    put("{\"name\": \"thread_name\", \"ph\": \"M\", \"pid\": 0, \"tid\": " + std::to_string(worker) +
        ", \"args\": {\"name\": " + json_text(name) + "}}");
  }
}

Trace::~Trace() { close(); }

void Trace::put(const std::string& event) {
  std::fputs(first_ ? "\n" : ",\n", file_);
  first_ = false;
  std::fwrite(event.data(), 1, event.size(), file_);
}

void Trace::add(const Execution& execution) {
  std::ostringstream event;
  event.precision(15);
  event << "{\"name\": " << json_text(execution.codelet) << ", \"ph\": \"X\", \"pid\": 0, \"tid\": " << execution.worker
        << ", \"ts\": " << execution.started << ", \"dur\": " << execution.finished - execution.started
        << ", \"args\": {\"priority\": " << execution.priority;
  if (execution.queued) event << ", \"queue_wait_us\": " << execution.started - *execution.queued;
  if (execution.speedup) event << ", \"estimated_speedup\": " << *execution.speedup;
  event << "}}";
  const RelaxedLock lock(mutex_.get());
  if (file_ != nullptr) put(event.str());
}

void Trace::close() {
  if (file_ == nullptr) return;
  std::fputs("\n]\n", file_);
  const bool bad = std::ferror(file_) != 0;
  if (std::fclose(file_) != 0 || bad) error_ = std::strerror(errno);
  file_ = nullptr;
}

}  // namespace starpath
