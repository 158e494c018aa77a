// A program of the user's under a policy that measures its tasks.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace starpath {

struct MeasuredProgram {
  std::string profile;
  std::string policy = "fcfs";
  std::vector<std::string> command;
};

struct MeasuredTasks {
  std::uint64_t tasks;
  int exit_code;  ///< the program's; 128 + N after signal N
};

/// Runs the program, and adds what was measured to the profile. Throws Error{usage} for a policy that does not measure,
/// Error{runtime} without the plug-in or a process, and for a profile that is none.
MeasuredTasks measure_program(const MeasuredProgram& program);

}  // namespace starpath
