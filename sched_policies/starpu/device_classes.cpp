// The machine as StarPU sees it, grouped into device classes.
#include "sched_policies/starpu/device_classes.hpp"

#include <starpu.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <set>
#include <sstream>

namespace starpath {
namespace {

struct Draft {
  std::vector<DeviceClass> classes;
  std::vector<ClassId> class_of;

  ClassId find_or_add(const DeviceClass& wanted) {
    const auto found = std::ranges::find(classes, wanted.name, &DeviceClass::name);
    if (found != classes.end()) return static_cast<ClassId>(found - classes.begin());
    classes.push_back(wanted);
    return static_cast<ClassId>(classes.size() - 1);
  }
  /// Workers that are moved from one class to another may leave it empty.
  bool too_many() const { return std::set(class_of.begin(), class_of.end()).size() > kMaxDeviceClasses; }
};

DeviceKind kind_of(unsigned worker) {
  return starpu_worker_get_type(static_cast<int>(worker)) == STARPU_CPU_WORKER ? DeviceKind::cpu
                                                                               : DeviceKind::accelerator;
}

std::string type_of(unsigned worker) {
  std::string type = starpu_worker_get_type_as_string(starpu_worker_get_type(static_cast<int>(worker)));
  std::ranges::transform(type, type.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return type.substr(0, type.find(' '));
}

DeviceClass class_of(unsigned worker, bool by_model) {
  std::array<char, 256> name{};
  starpu_worker_get_name(static_cast<int>(worker), name.data(), name.size());
  const DeviceKind kind = kind_of(worker);
  // A CPU worker's name is that of its core: cores of one machine are one class unless the user says otherwise.
  const bool by_name = by_model && kind != DeviceKind::cpu;
  return {.name = by_name ? class_name(type_of(worker), name.data()) : type_of(worker), .kind = kind};
}

/// One line about the workers that `overrides` name and that are not there.
void report_absent(const std::vector<ClassOverride>& overrides, unsigned workers,
                   const std::function<void(const std::string&)>& report) {
  std::string first;
  std::size_t absent = 0;
  for (const ClassOverride& entry : overrides) {
    for (const WorkerId worker : entry.workers) {
      if (worker < workers || absent++ != 0) continue;
      first = "class '" + entry.name + "' names worker " + std::to_string(worker);
    }
  }
  if (absent == 0) return;
  report("STARPATH_CLASSES: " + first + ", but the workers are 0 to " + std::to_string(workers - 1) + "; ignored" +
         (absent == 1 ? "" : ", as are " + std::to_string(absent - 1) + " more"));
}

/// Removes classes that no worker is in any more.
Machine finish(const Draft& draft) {
  std::vector<DeviceClass> used;
  std::vector<ClassId> class_of;
  std::vector<MemoryId> memory_of;
  for (const ClassId id : draft.class_of) {
    const auto found = std::ranges::find(used, draft.classes[id].name, &DeviceClass::name);
    class_of.push_back(static_cast<ClassId>(found - used.begin()));
    if (found == used.end()) used.push_back(draft.classes[id]);
  }
  for (int worker = 0; worker < static_cast<int>(class_of.size()); ++worker) {
    memory_of.push_back(starpu_worker_get_memory_node(static_cast<unsigned>(worker)));
  }
  return Machine(used, class_of, memory_of);
}

}  // namespace

std::vector<std::string> class_names(const Machine& machine) {
  std::vector<std::string> names;
  for (const DeviceClass& device_class : machine.classes()) names.push_back(device_class.name);
  return names;
}

std::string class_name(const std::string& type, const std::string& worker_name) {
  const std::size_t open = worker_name.find('(');
  const std::size_t close = worker_name.rfind(')');
  if (open == std::string::npos || close == std::string::npos || close < open) return type;
  std::istringstream words(worker_name.substr(open + 1, close - open - 1));
  std::string model = type;
  // What follows the model is its memory ("4.7 GiB"), which differs from card to card, and its bus address.
  for (std::string word; words >> word;) {
    std::string next;
    const auto here = words.tellg();
    if (std::isdigit(static_cast<unsigned char>(word[0])) != 0 && words >> next && next == "GiB") break;
    if (here != std::istringstream::pos_type(-1)) {
      words.clear();
      words.seekg(here);
    }
    if (word.find(':') != std::string::npos) break;
    model += " " + word;
  }
  return model;
}

Machine read_machine(const std::vector<ClassOverride>& overrides,
                     const std::function<void(const std::string&)>& report) {
  const unsigned workers = starpu_worker_get_count();
  const auto draft_of = [&](bool by_model) {
    Draft draft;
    for (unsigned worker = 0; worker < workers; ++worker) {
      draft.class_of.push_back(draft.find_or_add(class_of(worker, by_model)));
    }
    for (const ClassOverride& entry : overrides) {
      for (const WorkerId worker : entry.workers) {
        if (worker >= workers) continue;
        draft.class_of[worker] = draft.find_or_add({entry.name, entry.kind.value_or(kind_of(worker))});
      }
    }
    return draft;
  };
  report_absent(overrides, workers, report);
  Draft draft = draft_of(true);
  if (draft.too_many()) {
    report("more than " + std::to_string(kMaxDeviceClasses) + " device classes: devices are told apart by type only");
    draft = draft_of(false);
  }
  if (draft.too_many()) {
    report("STARPATH_CLASSES: more than " + std::to_string(kMaxDeviceClasses) + " device classes; ignored");
    return read_machine({}, report);
  }
  return finish(draft);
}

}  // namespace starpath
