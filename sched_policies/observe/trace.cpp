// STARPATH_TRACE: every task on a time line.
#include "sched_policies/observe/trace.hpp"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/output_file.hpp"

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
    put({{"name", "thread_name"}, {"ph", "M"}, {"pid", 0}, {"tid", worker}, {"args", {{"name", name}}}});
  }
}

Trace::~Trace() { close(); }

void Trace::put(const nlohmann::ordered_json& event) {
  const std::string text = event.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
  std::fputs(first_ ? "\n" : ",\n", file_);
  first_ = false;
  std::fwrite(text.data(), 1, text.size(), file_);
}

void Trace::add(const Execution& execution) {
  nlohmann::ordered_json event = {{"name", execution.codelet},
                                  {"ph", "X"},
                                  {"pid", 0},
                                  {"tid", execution.worker},
                                  {"ts", execution.started},
                                  {"dur", execution.finished - execution.started},
                                  {"args", {{"priority", execution.priority}}}};
  if (execution.queued) event["args"]["queue_wait_us"] = execution.started - *execution.queued;
  if (execution.speedup) event["args"]["estimated_speedup"] = *execution.speedup;
  if (execution.expected) event["args"]["expected_us"] = *execution.expected * 1e6;
  if (!execution.sure) event["args"]["unsure"] = true;
  const RelaxedLock lock(mutex_);
  if (file_ != nullptr) put(event);
}

void Trace::close() {
  const RelaxedLock lock(mutex_);
  if (file_ == nullptr) return;
  std::fputs("\n]\n", file_);
  const bool bad = std::ferror(file_) != 0;
  if (std::fclose(file_) != 0 || bad) error_ = std::strerror(errno);
  file_ = nullptr;
}

}  // namespace starpath
