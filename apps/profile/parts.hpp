// The parts of `starpath profile` and `starpath estimate` that several commands use.
#pragma once
#include <string>
#include <vector>

#include "estimator/store/profile_store.hpp"

namespace starpath::apps {

/// What the i-th numeric or categorical feature of a group is called: its name, else "p0", "p1", ... or "c0", "c1", ...
std::string numeric_name(const ProfileGroup& group, std::size_t i);
std::string categorical_name(const ProfileGroup& group, std::size_t i);

/// The groups of `codelet`. Error{usage} naming the codelets there are when it is not among them.
std::vector<ProfileGroup> load_codelet(const std::string& profile, const std::string& codelet);

/// Reads samples from a CSV or JSON file (docs/estimator.md says what they look like); "-" is standard input. Error
/// {input} that names file and line.
std::vector<ProfileGroup> read_samples(const std::string& file);

struct ProfileRun {
  std::string profile;
  std::string policy = "fcfs";
  std::vector<std::string> command;
  bool json = false;
};

/// `starpath profile run`. Returns the exit code.
int run_and_profile(const ProfileRun& run);

}  // namespace starpath::apps
