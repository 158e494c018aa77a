// How what a stage wrote gets from the rank that keeps it to the one that needs it. Pure.
#pragma once
#include <string>

#include "workflow/concrete_workflow.hpp"

namespace starpath::mpi {

enum class DataPhase { wanted, here, gone };

/// `wanted`: this rank needs what the instance wrote. The answer: the data are `here`, or `gone`.
struct DataMessage {
  DataPhase phase;
  workflow::StageInstance instance;
  std::string bytes = {};  // when here
};

}  // namespace starpath::mpi
