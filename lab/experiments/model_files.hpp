// Where the models of machines, networks and workloads are.
#pragma once
#include <cstdlib>
#include <filesystem>
#include <string>

#include "lab/model_file.hpp"

namespace starpath::lab {

inline std::filesystem::path model_folder() {
  const char* chosen = std::getenv("STARPATH_LAB_MODELS");
  return chosen != nullptr ? chosen : STARPATH_LAB_MODELS;
}
inline std::filesystem::path machine_file(const std::string& name) {
  return find_model(model_folder(), "machine", name);
}
inline std::filesystem::path network_file(const std::string& name) {
  return find_model(model_folder(), "network", name);
}
inline std::filesystem::path workload_file(const std::string& name) {
  return find_model(model_folder(), "workload", name);
}

}  // namespace starpath::lab
