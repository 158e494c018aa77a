// The groups of samples in a profile, as commands ask for them.
#pragma once
#include <string>
#include <vector>

#include "estimator/store/profile_store.hpp"

namespace starpath {

/// What the i-th numeric or categorical feature of a group is called: its name, else "p0", "p1", ... or "c0", "c1", ...
std::string numeric_name(const ProfileGroup& group, std::size_t i);
std::string categorical_name(const ProfileGroup& group, std::size_t i);

/// The profile of a command to whom the user named `given`, which may be empty: that, or the machine's own. The folder
/// of the machine's own is made if `adds`. Throws Error{usage} when the user named "none", or the machine has none.
std::string profile_of_command(const std::string& given, bool adds);

/// Opens a profile for a command. Throws ProfileStore's errors as Errors that also say what to do.
ProfileStore open_profile(const std::string& profile, ProfileStore::Open how);

/// The groups of `codelet`. Throws Error{usage} that names the codelets there are when it is not among them.
std::vector<ProfileGroup> load_codelet(const std::string& profile, const std::string& codelet);

}  // namespace starpath
