// Who the slides of a study belong to. Pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/study/cohort.hpp"
#include "io/study/study_store.hpp"

namespace starpath::apps {

/// What the list says of a slide in this column: "group", or one that the study keeps as a label; empty: nothing.
std::string label_of(const io::StudySlide& slide, std::string_view column);

/// The patients with a slide that is done, without features, in the order of their first slides. A slide without a
/// patient is one of its own, named by its folder, and " (slide)" behind it where a patient is called so. The group is
/// what `group_column` says of all slides of a patient; where it differs, none. `notes` gets a line for each slide and
/// patient that is left out, and for each that loses its group. Throws Error{usage} for a column that no slide has.
std::vector<io::StudyPatient> patients_of(const std::vector<io::StudyRow>& rows, const io::StudyClusters& clusters,
                                          const io::StudyClasses& classes, const std::string& group_column,
                                          std::vector<std::string>& notes);

}  // namespace starpath::apps
