// Families of features as a user asks for them.
#pragma once
#include <string>
#include <vector>

#include "codelets/kernels/feature_families.hpp"

namespace starpath {

/// The families of these names; "all" means every family. Throws Error{usage}, which lists the names, for an unknown
/// name or for no name at all.
FamilySet families_named(const std::vector<std::string>& names);

/// Their names with commas between them, in the order of FeatureFamily: the same for the same families.
std::string text_of(const FamilySet& families);

/// Names of the features of these families, in the order of kFeatureNames.
std::vector<std::string> feature_names(const FamilySet& families);

}  // namespace starpath
