// Names of what a study says of its slides: features, and columns of the list. Pure.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/study/study_store.hpp"

namespace starpath::pages {

/// What the list says of a slide in this column: "group", or a column that the study keeps as a label. The text is
/// empty where the list says nothing.
std::string label_of(const io::StudySlide& slide, std::string_view column);

/// Names of the features that `wanted` stands for (ExportOptions::features) and that the study's slides have. The basic
/// features come first, in their own order. Throws Error{usage} for a name that the slides do not have.
std::vector<std::string> study_features(const std::vector<io::StudyRow>& rows, const std::vector<std::string>& wanted);

}  // namespace starpath::pages
