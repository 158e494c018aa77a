// The machine as StarPU sees it, grouped into device classes.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "sched_policies/core/device_class.hpp"
#include "sched_policies/options/options.hpp"

namespace starpath {

/// Groups StarPU's workers: by architecture and device name ("cpu", "cuda Tesla K20"), then as `overrides` say. Needs
/// workers that have started (StarPU names devices late), so call it from the first push, not from init_sched.
/// `report` gets a line for overrides that name workers that are not there, and one for more classes than are supported
/// (they then merge by architecture). Thread-safe.
Machine read_machine(const std::vector<ClassOverride>& overrides,
                     const std::function<void(const std::string&)>& report);

/// The names of the machine's classes, by ClassId.
std::vector<std::string> class_names(const Machine& machine);

/// The class name of a device from StarPU's name of its worker: "CUDA 0.0 (Tesla K20 4.7 GiB 03:00.0)" of type "cuda"
/// is "cuda Tesla K20". Workers without a device name get the type alone.
std::string class_name(const std::string& type, const std::string& worker_name);

}  // namespace starpath
