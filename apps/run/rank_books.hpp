// Who ran what on a rank, as it tells rank 0, which sums up.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "apps/run/run_outcome.hpp"

namespace starpath::apps {

/// JSON. `outcome.traffic` must be there, in both.
std::string books_of(const Outcome& outcome);
/// Adds what books_of() made on another rank.
void add_books(const nlohmann::json& books, Outcome& outcome);

}  // namespace starpath::apps
