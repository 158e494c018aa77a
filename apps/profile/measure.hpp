// `starpath profile run`: a program under a policy that measures its tasks.
#pragma once
#include <string>
#include <vector>

namespace starpath::apps {

struct MeasuredProgram {
  std::string profile;
  std::string policy = "fcfs";
  std::vector<std::string> command;
  bool json = false;
};

/// Runs the program, adds what was measured to the profile, and tells how much it was. Returns the exit code.
int run_and_profile(const MeasuredProgram& program);

}  // namespace starpath::apps
