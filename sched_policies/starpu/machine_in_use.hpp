// StarPU's workers in device classes, for commands.
#pragma once
#include <functional>
#include <string>

#include "sched_policies/core/device_class.hpp"

namespace starpath {

/// As the policies group them: by kind and model, then as STARPATH_CLASSES says. `report` gets a line for each option
/// that cannot be followed; left out where a policy of ours has said it. StarPU must be running.
Machine machine_in_use(const std::function<void(const std::string&)>& report = [](const std::string&) {});

}  // namespace starpath
