// Device classes as a policy of ours would see them.
#include "apps/machine_in_use.hpp"

#include <cstdlib>
#include <string>

#include "sched_policies/core/options.hpp"
#include "sched_policies/starpu/device_classes.hpp"

namespace starpath::apps {

Machine machine_in_use() {
  const auto silent = [](const std::string&) {};  // a policy of ours has said it
  const Options options = read_options([](const char* name) -> const char* { return std::getenv(name); }, silent);
  return read_machine(options.classes, silent);
}

}  // namespace starpath::apps
