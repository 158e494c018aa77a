// Truth and decision as people and machines read them.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "pipelines/classification/nucleus_model.hpp"

namespace starpath {

/// A table of truth and decision with recall and precision of each class, then accuracy and balanced accuracy beside
/// those of always saying the most frequent class.
std::string confusion_text(const std::vector<NucleusClass>& classes, const Confusion& confusion);

/// The same as JSON. What is not known is null.
nlohmann::json confusion_json(const std::vector<NucleusClass>& classes, const Confusion& confusion);

}  // namespace starpath
