// How the data that a stage wrote get from the rank that keeps them to the rank that needs them. Pure.
#pragma once
#include <string>

#include "workflow/concrete_workflow.hpp"

namespace starpath::mpi {

enum class DataPhase { wanted, here, gone };

/// `wanted`: this rank needs the data that the instance wrote. The answer: the data are `here`, or `gone`.
struct DataMessage {
  DataPhase phase;
  workflow::StageInstance instance;
  std::string bytes = {};  // when here
};

}  // namespace starpath::mpi
