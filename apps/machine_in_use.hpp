// StarPU's workers in device classes, for commands.
#pragma once
#include "sched_policies/core/device_class.hpp"

namespace starpath::apps {

/// As the policies group them: by kind and model, then as STARPATH_CLASSES says. StarPU must be running.
Machine machine_in_use();

}  // namespace starpath::apps
