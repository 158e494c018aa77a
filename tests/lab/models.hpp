// The models that come with the lab, by name.
#pragma once
#include <filesystem>
#include <string>

#include "lab/machine.hpp"
#include "lab/workload.hpp"

namespace starpath::lab {

inline const std::filesystem::path kModels = STARPATH_LAB_MODELS;

inline LabMachine machine(const std::string& name) {
  return read_machine(ModelFile(find_model(kModels, "machine", name)));
}

inline WorkloadModel workload(const std::string& name) {
  return read_workload(ModelFile(find_model(kModels, "workload", name)));
}

/// The model with no variation, so that sums are those of the file.
inline WorkloadModel even(const std::string& name) {
  WorkloadModel model = workload(name);
  model.content_spread = model.device_spread = model.known_spread = 0;
  return model;
}

}  // namespace starpath::lab
