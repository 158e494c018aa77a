// Which model `starpath nbia run` and `evaluate` use.
#pragma once
#include <string>
#include <vector>

#include "pipelines/nbia/model.hpp"

namespace starpath {

inline constexpr const char* kBundled = "bundled";

struct ModelChoice {
  std::string file;         ///< kBundled for the bundled one; empty for that one too, on synthetic slides only
  std::vector<int> levels;  ///< empty for all
};

/// Throws as read_model and with_levels, and Error{usage} when no model was chosen and `input` is not synthetic: the
/// bundled model knows nothing of real tissue.
NbiaModel load_model(const ModelChoice& choice, const std::string& input);
bool is_bundled(const ModelChoice& choice);

}  // namespace starpath
