// STARPATH_STATS: who ran what, per codelet and device class.
#include "sched_policies/observe/statistics.hpp"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/atomic_file.hpp"
#include "base/output_file.hpp"

namespace starpath {
namespace {

nlohmann::ordered_json classes_json(const Machine& machine) {
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  for (const DeviceClass& device_class : machine.classes())
    classes.push_back({{"name", device_class.name},
                       {"kind", device_class.kind == DeviceKind::cpu ? "cpu" : "accelerator"},
                       {"workers", nlohmann::ordered_json::array()}});
  for (WorkerId worker = 0; worker < machine.workers(); ++worker)
    classes[machine.class_of(worker)]["workers"].push_back(worker);
  return classes;
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
  nlohmann::ordered_json ran = nlohmann::ordered_json::array();
  for (const auto& [key, share] : shares)
    ran.push_back({{"codelet", key.first},
                   {"class", machine_.classes()[key.second].name},
                   {"tasks", share.tasks},
                   {"seconds", share.seconds}});
  const nlohmann::ordered_json text = {
      {"version", 1}, {"policies", policies}, {"classes", classes_json(machine_)}, {"ran", std::move(ran)}};
  try {
    AtomicFile whole(file);
    whole.write(text.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    whole.commit();
  } catch (const WriteError& error) {
    return error.reason();
  }
  return "";
}

}  // namespace starpath
