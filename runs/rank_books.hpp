// Who ran what on a rank, as it tells rank 0, which sums up.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "runs/run_result.hpp"

namespace starpath {

/// `work.traffic` must be there, in both.
nlohmann::json books_of(const RunWork& work);
/// Adds what books_of() made on another rank.
void add_books(const nlohmann::json& books, RunWork& work);

}  // namespace starpath
