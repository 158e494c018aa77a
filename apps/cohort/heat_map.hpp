// The values of patients as a picture.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "apps/cohort/branches.hpp"
#include "io/study/cohort.hpp"

namespace starpath::apps {

/// An SVG file: a row a patient in the order of the tree, which is drawn on the left, and a column a value. Blue is
/// below the mean of the patients, red above; colours end at 2.5 deviations. Beside each row stand its branch, its
/// group's colour and its name. `in_tree` are the patients that `branches` were found of, by their numbers there.
std::string heat_map_svg(const std::vector<io::StudyPatient>& in_tree, const Branches& branches);

/// Error{output} if there is something at `file` that is no such picture.
void check_heat_map_is_ours(const std::filesystem::path& file);

}  // namespace starpath::apps
