// Device classes as a policy of ours would see them.
#include "sched_policies/starpu/machine_in_use.hpp"

#include <cstdlib>

#include "sched_policies/options/options.hpp"
#include "sched_policies/starpu/device_classes.hpp"

namespace starpath {

Machine machine_in_use(const std::function<void(const std::string&)>& report) {
  const Options options = read_options([](const char* name) -> const char* { return std::getenv(name); }, report);
  return read_machine(options.classes, report);
}

}  // namespace starpath
