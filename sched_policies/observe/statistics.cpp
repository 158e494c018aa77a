// STARPATH_STATS: who ran what, per codelet and device class.
#include "sched_policies/observe/statistics.hpp"

#include <sstream>

#include "base/atomic_file.hpp"
#include "base/output_file.hpp"
#include "sched_policies/observe/json_text.hpp"

namespace starpath {
namespace {

std::string classes_text(const Machine& machine) {
  std::ostringstream out;
  for (ClassId id = 0; id < machine.classes().size(); ++id) {
    const DeviceClass& device_class = machine.classes()[id];
    out << (id == 0 ? "\n" : ",\n") << "    {\"name\": " << json_text(device_class.name) << ", \"kind\": \""
        << (device_class.kind == DeviceKind::cpu ? "cpu" : "accelerator") << "\", \"workers\": [";
    const char* separator = "";
    for (WorkerId worker = 0; worker < machine.workers(); ++worker) {
      if (machine.class_of(worker) != id) continue;
      out << separator << worker;
      separator = ", ";
    }
    out << "]}";
  }
  return out.str();
}

}  // namespace

void Statistics::add(const Execution& execution) {
  Share& share = workers_[execution.worker][std::string(execution.codelet)];
  ++share.tasks;
  share.seconds += execution.seconds();
}

std::string Statistics::write(const std::string& file, const std::vector<std::string>& policies) const {
  std::map<std::pair<std::string, ClassId>, Share> shares;
  for (WorkerId worker = 0; worker < workers_.size(); ++worker) {
    for (const auto& [codelet, ran] : workers_[worker]) {
      Share& share = shares[{codelet, machine_.class_of(worker)}];
      share.tasks += ran.tasks;
      share.seconds += ran.seconds;
    }
  }
  std::ostringstream out;
  out << "{\n  \"version\": 1,\n  \"policies\": [";
  for (const std::string& policy : policies) out << (&policy == policies.data() ? "" : ", ") << json_text(policy);
  out << "],\n  \"classes\": [" << classes_text(machine_) << "\n  ],\n  \"ran\": [";
  const char* separator = "\n";
  for (const auto& [key, share] : shares) {
    out << separator << "    {\"codelet\": " << json_text(key.first)
        << ", \"class\": " << json_text(machine_.classes()[key.second].name) << ", \"tasks\": " << share.tasks
        << ", \"seconds\": " << share.seconds << "}";
    separator = ",\n";
  }
  out << "\n  ]\n}\n";
  try {
    AtomicFile whole(file);
    whole.write(out.str());
    whole.commit();
  } catch (const WriteError& error) {
    return error.reason();
  }
  return "";
}

}  // namespace starpath
