// A slide in the page's data.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include "io/study/study_store.hpp"
#include "pages/study/shown_features.hpp"
#include "pages/study/slide_look.hpp"

namespace starpath::pages {

/// What study.sqlite says of it. `column`: of the list, which holds groups.
nlohmann::json slide_json(const io::StudyRow& row, const std::string& column);

/// The overview, or why there is none, and the density of nuclei.
nlohmann::json picture_json(const SlideLook& look);

/// How the feature is spread over the slide; `place`: its number in the look. Null where nothing is known.
nlohmann::json spread_json(const io::StudyRow& row, const ShownFeature& feature, const std::optional<SlideLook>& look,
                           std::size_t place);

}  // namespace starpath::pages
