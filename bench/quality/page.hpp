// The worst images of a judgement as a page for browsers.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "bench/quality/judge.hpp"
#include "bench/quality/scores.hpp"

namespace starpath::quality {

/// One image of the page: its pixels and outlines, its numbers.
nlohmann::json page_case(const Score& score, const Case& shown);

/// One HTML file that needs no other: for each of the scores its table, and the images of `cases` (as many lists as
/// scores).
std::string quality_page(const std::vector<Scores>& scores, const std::vector<std::vector<nlohmann::json>>& cases);

}  // namespace starpath::quality
